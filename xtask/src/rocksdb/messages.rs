use std::path::PathBuf;

use serde_json::Value;

const PACKAGE: &str = "librocksdb-sys";

/// What Cargo reports about building `librocksdb-sys`, one JSON object a line.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Message {
    /// Its build script is compiled and starts now; the package's sources are in this folder.
    ScriptBuilt { sources: PathBuf },
    /// Its build script is through; what it made is in this folder.
    ScriptRan { out_dir: PathBuf },
}

impl Message {
    /// Reads one line; `None` for anything that is not about the package.
    pub(crate) fn parse(line: &str) -> Option<Self> {
        let message: Value = serde_json::from_str(line).ok()?;
        if !is_package(message["package_id"].as_str()?) {
            return None;
        }
        match message["reason"].as_str()? {
            "build-script-executed" => {
                Some(Self::ScriptRan { out_dir: message["out_dir"].as_str()?.into() })
            }
            "compiler-artifact" if message["target"]["kind"][0] == "custom-build" => {
                let mut sources = PathBuf::from(message["manifest_path"].as_str()?);
                sources.pop();
                Some(Self::ScriptBuilt { sources })
            }
            _ => None,
        }
    }
}

/// Whether an id is the package's: `registry+…#librocksdb-sys@0.19.0+11.8.1`, or as Cargo wrote it before
/// 1.77, `librocksdb-sys 0.19.0+11.8.1 (registry+…)`.
fn is_package(id: &str) -> bool {
    let name = id.rsplit_once('#').map_or(id, |(_, name)| name);
    name.strip_prefix(PACKAGE).is_some_and(|version| version.starts_with(['@', ' ']))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "registry+https://example.org/index#librocksdb-sys@0.19.0+11.8.1";

    #[test]
    fn the_two_reports_are_read() {
        let built = format!(
            r#"{{"reason":"compiler-artifact","package_id":"{ID}","manifest_path":"/s/Cargo.toml",
                "target":{{"kind":["custom-build"],"name":"build-script-build"}},"fresh":false}}"#
        );
        assert_eq!(Message::parse(&built), Some(Message::ScriptBuilt { sources: "/s".into() }));
        let ran = format!(
            r#"{{"reason":"build-script-executed","package_id":"{ID}","out_dir":"/t/out","env":[]}}"#
        );
        assert_eq!(Message::parse(&ran), Some(Message::ScriptRan { out_dir: "/t/out".into() }));
        let old = ran.replace(ID, "librocksdb-sys 0.19.0+11.8.1 (registry+https://example.org)");
        assert_eq!(Message::parse(&old), Some(Message::ScriptRan { out_dir: "/t/out".into() }));
    }

    #[test]
    fn other_lines_are_passed_over() {
        let library = format!(
            r#"{{"reason":"compiler-artifact","package_id":"{ID}","manifest_path":"/s/Cargo.toml",
                "target":{{"kind":["lib"]}}}}"#
        );
        let other =
            r#"{"reason":"build-script-executed","package_id":"x#zstd-sys@2","out_dir":"/o"}"#;
        let similar = other.replace("zstd-sys", "librocksdb-sys-extra");
        let finished = r#"{"reason":"build-finished","success":true}"#;
        for line in [&library, other, &similar, finished, "", "[]", "no json", "{\"package_id\":1}"]
        {
            assert_eq!(Message::parse(line), None, "{line}");
        }
    }
}
