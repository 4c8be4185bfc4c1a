use std::{borrow::Cow, path::PathBuf};

use keyed_state_core::{Error, ErrorKind, Result};
use percent_encoding::percent_decode_str;

/// A backend URL taken apart: `scheme:path?name=value&…`.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BackendUrl {
    pub(crate) scheme: String,
    /// Empty where the URL has none.
    pub(crate) path: PathBuf,
    pub(crate) options: Vec<(String, String)>,
}

impl BackendUrl {
    pub(crate) fn parse(url: &str) -> Result<Self> {
        let (scheme, rest) = url.split_once(':').ok_or_else(|| {
            invalid(url, "expected SCHEME:PATH, such as memory: or fjall:///var/lib/job")
        })?;
        let (path, query) = match rest.split_once('?') {
            Some((path, query)) => (path, Some(query)),
            None => (rest, None),
        };
        let path = match path.strip_prefix("//") {
            // Three slashes: no host, an absolute path.
            Some(path) if path.is_empty() || path.starts_with('/') => path,
            Some(_) => {
                return Err(invalid(
                    url,
                    "a path is expected, not a host; write SCHEME:///absolute/path or SCHEME:relative/path",
                ));
            }
            None => path,
        };
        let mut options: Vec<(String, String)> = Vec::new();
        for option in query.into_iter().flat_map(|query| query.split('&')) {
            let (name, value) = option.split_once('=').ok_or_else(|| {
                invalid(url, &format!("option {option:?} has no value; expected name=value"))
            })?;
            let (name, value) = (decode(url, name)?.into_owned(), decode(url, value)?.into_owned());
            if options.iter().any(|(known, _)| *known == name) {
                return Err(invalid(url, &format!("option {name:?} is given twice")));
            }
            options.push((name, value));
        }
        let path = PathBuf::from(decode(url, path)?.into_owned());
        Ok(Self { scheme: scheme.to_owned(), path, options })
    }
}

fn decode<'a>(url: &str, text: &'a str) -> Result<Cow<'a, str>> {
    percent_decode_str(text)
        .decode_utf8()
        .map_err(|error| invalid(url, "its %XX escapes do not give UTF-8").with_source(error))
}

pub(crate) fn invalid(url: &str, expected: &str) -> Error {
    Error::new(ErrorKind::InvalidArgument, format!("backend URL {url:?}: {expected}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(url: &str) -> (String, String, Vec<(String, String)>) {
        let BackendUrl { scheme, path, options } = BackendUrl::parse(url).unwrap();
        (scheme, path.to_str().unwrap().to_owned(), options)
    }

    #[test]
    fn takes_urls_apart() {
        let none = Vec::new();
        assert_eq!(parsed("memory:"), ("memory".into(), String::new(), none.clone()));
        assert_eq!(parsed("memory://"), ("memory".into(), String::new(), none.clone()));
        assert_eq!(parsed("fjall:///a/b"), ("fjall".into(), "/a/b".into(), none.clone()));
        assert_eq!(parsed("fjall:a/b"), ("fjall".into(), "a/b".into(), none.clone()));
        assert_eq!(parsed("fjall:/a%20b%3F"), ("fjall".into(), "/a b?".into(), none));
        let options = vec![("x".to_owned(), "1".to_owned()), ("y".to_owned(), "a=b&c".to_owned())];
        assert_eq!(parsed("f:///a?x=1&y=a=b%26c"), ("f".into(), "/a".into(), options));
    }

    #[test]
    fn f2_bad_urls_are_named() {
        for bad in [
            "",
            "fjall",
            "fjall://host/path",
            "f:/a?x",
            "f:/a?x=1&x=2",
            "f:/%FF",
            "f:/a?",
            "f:/a?%FF=1",
        ] {
            let error = BackendUrl::parse(bad).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{bad}");
            assert!(error.to_string().contains(&format!("{bad:?}")), "{error}");
        }
    }
}
