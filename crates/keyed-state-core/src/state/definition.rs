use std::{any::TypeId, fmt, fmt::Write as _};

use crate::{ClearStrategy, Decode, Error, ErrorKind, Expiry, Result, StateKey, Ttl};

/// The longest name of a state, in bytes.
pub const MAX_STATE_NAME_BYTES: usize = 80;

/// Everything that one name stands for; two registrations of a name must agree on all of it.
///
/// Displays as `value<u64> in window`, which durable backends store and compare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateDefinition {
    name: String,
    schema: String,
    types: RustTypes,
    default_bytes: Option<Vec<u8>>,
    clear_strategy: Option<ClearStrategy>,
    expiry: Option<Expiry>,
}

impl StateDefinition {
    pub(super) fn new<N: StateKey>(name: &str, kind: &str, ttl: Option<Ttl>) -> Result<Self> {
        let name = checked_name(name)?;
        let expiry = ttl
            .map(Ttl::checked)
            .transpose()
            .map_err(|error| error.context(format_args!("state {name:?}")))?;
        let mut schema = kind.to_owned() + &in_namespace::<N>();
        if let Some(expiry) = expiry {
            write!(schema, ", {expiry}").expect("writing to a string cannot fail");
        }
        Ok(Self {
            name,
            schema,
            types: RustTypes::of::<N, N>(),
            default_bytes: None,
            clear_strategy: None,
            expiry,
        })
    }

    /// Takes the identity of `Id` and the names of `Types`.
    pub(super) fn of_types<Id: 'static, Types>(mut self) -> Self {
        self.types = RustTypes::of::<Id, Types>();
        self
    }

    pub(super) fn cleared_by(mut self, strategy: Option<ClearStrategy>) -> Self {
        self.clear_strategy = strategy;
        self
    }

    pub(super) fn with_default(mut self, bytes: Option<Vec<u8>>) -> Self {
        self.default_bytes = bytes;
        self
    }

    /// Returns the state's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns kind, codec schemas, namespace and TTL, such as `map<string, u64> in u64`.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// Returns the clear strategy, if the descriptor names one.
    #[must_use]
    pub fn clear_strategy(&self) -> Option<ClearStrategy> {
        self.clear_strategy
    }

    /// Returns the rule by which entries expire, if the descriptor has a [`Ttl`].
    #[must_use]
    pub fn expiry(&self) -> Option<Expiry> {
        self.expiry
    }

    /// Refuses a state with TTL. For authors of backends without [`Capabilities::ttl`](crate::Capabilities::ttl).
    ///
    /// # Errors
    ///
    /// [`Unsupported`](ErrorKind::Unsupported).
    pub fn check_no_ttl(&self) -> Result<()> {
        match self.expiry {
            None => Ok(()),
            Some(_) => Err(Error::new(
                ErrorKind::Unsupported,
                format!("state {:?} ({self}): this backend has no time to live", self.name),
            )),
        }
    }

    /// Checks a second registration of the name against this one.
    ///
    /// # Errors
    ///
    /// [`StateMismatch`](ErrorKind::StateMismatch), naming both definitions, if they differ in anything.
    pub fn check_same(&self, other: &Self) -> Result<()> {
        if self == other {
            return Ok(());
        }
        let (was, now) = (self.describe(self.schema != other.schema), other);
        Err(Error::new(
            ErrorKind::StateMismatch,
            format!(
                "state {:?} is registered as {was}, not as {}",
                self.name,
                now.describe(self.schema != other.schema)
            ),
        ))
    }

    /// Says what differs: the schema where that does, else the settings and Rust types behind it.
    fn describe(&self, schema_differs: bool) -> String {
        if schema_differs {
            return self.schema.clone();
        }
        let default = match &self.default_bytes {
            Some(bytes) if bytes.len() <= 32 => format!("default {bytes:02x?}"),
            Some(bytes) => format!("default {:02x?} … ({} bytes)", &bytes[..32], bytes.len()),
            None => "no default".to_owned(),
        };
        let clear = match self.clear_strategy {
            Some(strategy) => format!("clear strategy {strategy}"),
            None => "no clear strategy of its own".to_owned(),
        };
        format!("{} (of the Rust types {}, {default}, {clear})", self.schema, self.types.names)
    }
}

/// The Rust types of a state. Types may differ though their schemas agree, and then so do their ids.
#[derive(Clone, Copy, Debug)]
struct RustTypes {
    id: TypeId,
    names: &'static str,
}

impl RustTypes {
    /// Takes the identity of `Id` and the names of `Types`.
    fn of<Id: 'static, Types>() -> Self {
        Self { id: TypeId::of::<Id>(), names: std::any::type_name::<Types>() }
    }
}

impl PartialEq for RustTypes {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for RustTypes {}

impl fmt::Display for StateDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.schema)
    }
}

fn in_namespace<N: Decode>() -> String {
    match N::schema().as_str() {
        "()" => String::new(),
        schema => format!(" in {schema}"),
    }
}

fn checked_name(name: &str) -> Result<String> {
    if name.is_empty() || name.len() > MAX_STATE_NAME_BYTES || name.contains(char::is_control) {
        return Err(Error::new(
            ErrorKind::InvalidArgument,
            format!(
                "a state's name must have 1 to {MAX_STATE_NAME_BYTES} bytes and no control \
                 character, unlike {name:?} with {}",
                name.len()
            ),
        ));
    }
    Ok(name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MapDescriptor, ValueDescriptor};

    #[test]
    fn k3_the_error_names_both_definitions() {
        let value = |default| {
            let descriptor = ValueDescriptor::<u64>::new("s");
            match default {
                Some(value) => descriptor.default_value(value),
                None => descriptor,
            }
        };
        let plain = value(None).definition().unwrap();
        let map = MapDescriptor::<u8, String, u16>::new("s").definition().unwrap();
        let error = plain.check_same(&map).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::StateMismatch);
        assert_eq!(
            error.to_string(),
            "state \"s\" is registered as value<u64>, not as map<u8, string> in u16"
        );
        let error = plain.check_same(&value(Some(7)).definition().unwrap()).unwrap_err();
        assert!(error.to_string().contains("no default"), "{error}");
        assert!(error.to_string().contains("default [00, 00, 00, 00, 00, 00, 00, 07]"), "{error}");
        assert!(plain.check_same(&value(None).definition().unwrap()).is_ok());
    }

    #[test]
    fn f2_names_have_limits() {
        for bad in ["", "a\u{0}b", "line\nbreak", &"x".repeat(MAX_STATE_NAME_BYTES + 1)] {
            let error = ValueDescriptor::<u64>::new(bad).definition().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{bad:?}");
        }
        assert!(ValueDescriptor::<u64>::new("x".repeat(MAX_STATE_NAME_BYTES)).definition().is_ok());
    }
}
