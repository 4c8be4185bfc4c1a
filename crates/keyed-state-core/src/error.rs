use std::{borrow::Cow, error::Error as StdError, fmt};

use crate::KeyGroupRange;

/// A [`std::result::Result`] whose default error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, in terms that a caller can act on.
///
/// A kind exists only where a caller would act differently; the message and the source say the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ErrorKind {
    /// State was accessed before the first `set_current_key`. Set a key first.
    NoCurrentKey,
    /// The key belongs to a key group of another owner. Send the record there.
    KeyGroupNotOwned {
        /// The key's group.
        group: u16,
        /// The groups that this backend owns.
        owned: KeyGroupRange,
    },
    /// The id was issued by another backend. Register the state on this one.
    UnknownState,
    /// The name is taken by a state of another kind or other types; the message names both.
    StateMismatch,
    /// The stored backend was written with another format, max parallelism, key type or key-group
    /// range; the message names both.
    Incompatible,
    /// The stored backend was not closed cleanly, so that its states may be of different ages. Delete
    /// it and restore the last checkpoint.
    NotCleanlyClosed,
    /// Another process, or another handle in this one, holds the directory. Close that one first.
    Locked,
    /// A value could not be encoded, or stored bytes do not decode as the registered type.
    Codec,
    /// An argument (name, option, URL, range, length) is not acceptable; the message says what is.
    InvalidArgument,
    /// The backend does not offer the operation; see [`Capabilities`](crate::Capabilities).
    Unsupported,
    /// A function of the user's failed, such as a reduce function; the source has its error. Nothing has changed.
    Function,
    /// The storage engine failed; the source has its own error.
    Storage,
}

/// The error of every operation in this crate and its engines.
///
/// One pointer wide, so that `Result<Option<u64>>` stays small on the hot path. Messages are lower case,
/// name the thing (state, file, key group) and say what was expected; they are for people and may
/// change. Match on [`kind`](Self::kind).
///
/// ```
/// use keyed_state_core::{Error, ErrorKind};
///
/// let error = Error::new(ErrorKind::Unsupported, "the toy engine cannot compact");
/// assert_eq!(error.kind(), ErrorKind::Unsupported);
/// assert_eq!(error.to_string(), "the toy engine cannot compact");
/// ```
#[derive(thiserror::Error)]
#[error(transparent)]
pub struct Error(Box<Inner>);

#[derive(Debug, thiserror::Error)]
#[error("{message}")]
struct Inner {
    kind: ErrorKind,
    message: Cow<'static, str>,
    source: Option<Box<dyn StdError + Send + Sync>>,
}

impl Error {
    /// Creates an error of `kind`; `message` is for people, not for matching.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), source: None }))
    }

    /// Makes an error of kind [`Function`](ErrorKind::Function) of one that a user's function met.
    ///
    /// ```
    /// use keyed_state_core::{Error, ErrorKind, Result};
    ///
    /// fn add(a: String, b: String) -> Result<String> {
    ///     let number = |text: String| text.parse::<u64>().map_err(Error::from_function);
    ///     Ok((number(a)? + number(b)?).to_string())
    /// }
    ///
    /// assert_eq!(add("1".into(), "two".into()).unwrap_err().kind(), ErrorKind::Function);
    /// ```
    #[cold]
    pub fn from_function(source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        let source = source.into();
        Self::new(ErrorKind::Function, source.to_string()).with_source(source)
    }

    /// Attaches the underlying cause.
    #[must_use]
    pub fn with_source(mut self, source: impl Into<Box<dyn StdError + Send + Sync>>) -> Self {
        self.0.source = Some(source.into());
        self
    }

    /// Returns the kind to match on.
    #[must_use]
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// Puts `context` and a colon before the message: names the thing that a lower layer did not know.
    #[must_use]
    pub fn context(mut self, context: impl fmt::Display) -> Self {
        self.0.message = format!("{context}: {}", self.0.message).into();
        self
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Error")
            .field("kind", &self.0.kind)
            .field("message", &self.0.message)
            .field("source", &self.0.source)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_one_pointer_wide() {
        assert_eq!(size_of::<Error>(), size_of::<usize>());
        assert_eq!(size_of::<Result<()>>(), size_of::<usize>());
    }

    #[test]
    fn context_keeps_kind_and_source() {
        let cause = std::io::Error::other("disk on fire");
        let error = Error::new(ErrorKind::Storage, "cannot flush")
            .with_source(cause)
            .context("state \"clicks\"");
        assert_eq!(error.kind(), ErrorKind::Storage);
        assert_eq!(error.to_string(), "state \"clicks\": cannot flush");
        assert_eq!(error.source().map(ToString::to_string), Some("disk on fire".to_owned()));
    }
}
