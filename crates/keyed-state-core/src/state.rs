use std::{
    any::TypeId,
    fmt,
    marker::PhantomData,
    sync::atomic::{AtomicU64, Ordering},
};

use crate::{ClearStrategy, Decode, Error, ErrorKind, Result, StateKey, StateValue};

/// Identity of one open backend, by which an id is refused by any other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BackendId(u64);

impl BackendId {
    /// Returns an identity that no other backend of this process has.
    #[must_use]
    pub fn fresh() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Self(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// The longest name of a state, in bytes.
pub const MAX_STATE_NAME_BYTES: usize = 80;

/// Name, types and settings of a map state: entries `UK → UV` under each key and namespace `N`.
///
/// ```
/// use keyed_state_core::{ClearStrategy, MapDescriptor};
///
/// let clicks = MapDescriptor::<String, u64>::new("clicks");
/// let by_window = MapDescriptor::<String, u64, u64>::new("clicks by window")
///     .clear_strategy(ClearStrategy::PointDeletes);
/// ```
pub struct MapDescriptor<UK, UV, N = ()> {
    name: String,
    clear_strategy: Option<ClearStrategy>,
    types: Types<(UK, UV, N)>,
}

/// Types that a descriptor or id speaks of without holding any value of them.
type Types<T> = PhantomData<fn() -> T>;

impl<UK, UV, N> MapDescriptor<UK, UV, N> {
    /// Describes the map state `name`: 1 to [`MAX_STATE_NAME_BYTES`] bytes without control characters,
    /// unique in its backend.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), clear_strategy: None, types: PhantomData }
    }

    /// Sets how `clear` works for this state, instead of as the backend's options say.
    #[must_use]
    pub fn clear_strategy(mut self, strategy: ClearStrategy) -> Self {
        self.clear_strategy = Some(strategy);
        self
    }
}

impl<UK: StateKey, UV: StateValue, N: StateKey> MapDescriptor<UK, UV, N> {
    /// Returns the definition to register. For backend authors.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for a bad name.
    pub fn definition(&self) -> Result<StateDefinition> {
        Ok(StateDefinition {
            name: checked_name(&self.name)?,
            schema: format!("map<{}, {}>{}", UK::schema(), UV::schema(), in_namespace::<N>()),
            types: RustTypes::of::<MapId<UK, UV, N>, (UK, UV, N)>(),
            default_bytes: None,
            clear_strategy: self.clear_strategy,
        })
    }
}

impl<UK, UV, N> fmt::Debug for MapDescriptor<UK, UV, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MapDescriptor")
            .field("name", &self.name)
            .field("clear_strategy", &self.clear_strategy)
            .finish_non_exhaustive()
    }
}

/// Name, type and default of a value state: one `V` under each key and namespace `N`.
///
/// ```
/// use keyed_state_core::ValueDescriptor;
///
/// let last_seen = ValueDescriptor::<u64>::new("last seen");
/// let greeting = ValueDescriptor::<String>::new("greeting").default_value("hello".to_owned());
/// ```
pub struct ValueDescriptor<V, N = ()> {
    name: String,
    default_value: Option<V>,
    types: Types<N>,
}

impl<V, N> ValueDescriptor<V, N> {
    /// Describes the value state `name`: 1 to [`MAX_STATE_NAME_BYTES`] bytes without control characters,
    /// unique in its backend.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), default_value: None, types: PhantomData }
    }

    /// Sets what `get` returns while no value is set: a fresh clone each time, never stored.
    #[must_use]
    pub fn default_value(mut self, value: V) -> Self {
        self.default_value = Some(value);
        self
    }
}

impl<V: StateValue, N: StateKey> ValueDescriptor<V, N> {
    /// Returns the definition to register. For backend authors.
    ///
    /// # Errors
    ///
    /// [`InvalidArgument`](ErrorKind::InvalidArgument) for a bad name, [`Codec`](ErrorKind::Codec) if the
    /// default value cannot be encoded.
    pub fn definition(&self) -> Result<StateDefinition> {
        let default_bytes = match &self.default_value {
            Some(value) => {
                let mut bytes = Vec::new();
                value.encode(&mut bytes)?;
                Some(bytes)
            }
            None => None,
        };
        Ok(StateDefinition {
            name: checked_name(&self.name)?,
            schema: format!("value<{}>{}", V::schema(), in_namespace::<N>()),
            types: RustTypes::of::<ValueId<V, N>, (V, N)>(),
            default_bytes,
            clear_strategy: None,
        })
    }

    /// Returns the default value, if one is set. For backend authors.
    #[must_use]
    pub fn default(&self) -> Option<&V> {
        self.default_value.as_ref()
    }
}

impl<V: fmt::Debug, N> fmt::Debug for ValueDescriptor<V, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValueDescriptor")
            .field("name", &self.name)
            .field("default_value", &self.default_value)
            .finish_non_exhaustive()
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
}

impl StateDefinition {
    /// Returns the state's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns kind, codec schemas and namespace, such as `map<string, u64> in u64`.
    #[must_use]
    pub fn schema(&self) -> &str {
        &self.schema
    }

    /// Returns the clear strategy, if the descriptor names one.
    #[must_use]
    pub fn clear_strategy(&self) -> Option<ClearStrategy> {
        self.clear_strategy
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

/// A ticket for a registered state, of whatever kind: [`MapId`] or [`ValueId`].
///
/// Sealed: state kinds are core's.
pub trait StateId: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The state's namespace type.
    type Namespace: StateKey;

    /// Returns the index that `backend` gave the state, or `None` if another backend issued this id.
    fn index_in(&self, backend: BackendId) -> Option<usize>;
}

mod sealed {
    pub trait Sealed {}
}

macro_rules! state_id {
    ($(#[$doc:meta])* $name:ident<$($type:ident),*>, $text:literal, where $($bound:tt)*) => {
        $(#[$doc])*
        pub struct $name<$($type),*, N = ()> {
            backend: BackendId,
            index: u32,
            types: Types<($($type,)* N)>,
        }

        impl<$($type),*, N> $name<$($type),*, N> {
            /// Issues an id. For backend authors: call it only where the state is registered.
            #[must_use]
            pub fn issue(backend: BackendId, index: u32) -> Self {
                Self { backend, index, types: PhantomData }
            }
        }

        impl<$($type),*, N> sealed::Sealed for $name<$($type),*, N> {}

        impl<$($bound)*, N: StateKey> StateId for $name<$($type),*, N> {
            type Namespace = N;

            fn index_in(&self, backend: BackendId) -> Option<usize> {
                (self.backend == backend).then_some(self.index as usize)
            }
        }

        impl<$($type),*, N> Clone for $name<$($type),*, N> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<$($type),*, N> Copy for $name<$($type),*, N> {}

        impl<$($type),*, N> fmt::Debug for $name<$($type),*, N> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($text, "({}.{})"), self.backend.0, self.index)
            }
        }
    };
}

state_id! {
    /// Typed ticket for a registered map state: `Copy`, and valid only on the backend that issued it.
    MapId<UK, UV>, "MapId", where UK: StateKey, UV: StateValue
}
state_id! {
    /// Typed ticket for a registered value state: `Copy`, and valid only on the backend that issued it.
    ValueId<V>, "ValueId", where V: StateValue
}

#[cfg(test)]
mod tests {
    use super::*;

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
