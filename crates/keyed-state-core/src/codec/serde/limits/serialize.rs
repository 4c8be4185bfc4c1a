use serde::ser::{self, Error as _, Serialize, Serializer};

use super::{Limited, Limits};

/// How many variants memcomparable has tags for; it panics beyond. postcard has a `u32`, and no enum
/// of that many variants was ever a value.
const MAX_VARIANTS: u32 = 256;

/// A value one level further in.
struct Deeper<'a, 'v, T: ?Sized> {
    value: &'v T,
    limits: Limits<'a>,
}

impl<T: Serialize + ?Sized> Serialize for Deeper<'_, '_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let limits = self.limits.deeper(S::Error::custom)?;
        self.value.serialize(Limited::at(serializer, limits))
    }
}

fn check_variant<E: ser::Error>(variant: u32) -> Result<(), E> {
    if variant < MAX_VARIANTS {
        return Ok(());
    }
    Err(E::custom(format!("an enum may have at most {MAX_VARIANTS} variants")))
}

/// Methods that pass on what they get.
macro_rules! forward {
    ($($method:ident($($argument:ident: $type:ty),*);)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<S::Ok, S::Error> {
            self.inner.$method($($argument),*)
        }
    )*};
}

/// Methods that open a compound value.
macro_rules! open {
    ($($method:ident($($argument:ident: $type:ty),*) -> $compound:ident;)*) => {$(
        fn $method(self, $($argument: $type),*) -> Result<Self::$compound, S::Error> {
            Ok(Limited::at(self.inner.$method($($argument),*)?, self.limits))
        }
    )*};
}

impl<'a, S: Serializer> Serializer for Limited<'a, S> {
    type Ok = S::Ok;
    type Error = S::Error;
    type SerializeSeq = Limited<'a, S::SerializeSeq>;
    type SerializeTuple = Limited<'a, S::SerializeTuple>;
    type SerializeTupleStruct = Limited<'a, S::SerializeTupleStruct>;
    type SerializeTupleVariant = Limited<'a, S::SerializeTupleVariant>;
    type SerializeMap = Limited<'a, S::SerializeMap>;
    type SerializeStruct = Limited<'a, S::SerializeStruct>;
    type SerializeStructVariant = Limited<'a, S::SerializeStructVariant>;

    forward! {
        serialize_bool(value: bool);
        serialize_i8(value: i8);
        serialize_i16(value: i16);
        serialize_i32(value: i32);
        serialize_i64(value: i64);
        serialize_i128(value: i128);
        serialize_u8(value: u8);
        serialize_u16(value: u16);
        serialize_u32(value: u32);
        serialize_u64(value: u64);
        serialize_u128(value: u128);
        serialize_f32(value: f32);
        serialize_f64(value: f64);
        serialize_char(value: char);
        serialize_str(value: &str);
        serialize_bytes(value: &[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(name: &'static str);
    }

    open! {
        serialize_seq(len: Option<usize>) -> SerializeSeq;
        serialize_tuple(len: usize) -> SerializeTuple;
        serialize_tuple_struct(name: &'static str, len: usize) -> SerializeTupleStruct;
        serialize_map(len: Option<usize>) -> SerializeMap;
        serialize_struct(name: &'static str, len: usize) -> SerializeStruct;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result<S::Ok, S::Error> {
        self.inner.serialize_some(&Deeper { value, limits: self.limits })
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        self.inner.serialize_newtype_struct(name, &Deeper { value, limits: self.limits })
    }

    fn serialize_unit_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
    ) -> Result<S::Ok, S::Error> {
        check_variant(index)?;
        self.inner.serialize_unit_variant(name, index, variant)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<S::Ok, S::Error> {
        check_variant(index)?;
        let value = Deeper { value, limits: self.limits };
        self.inner.serialize_newtype_variant(name, index, variant, &value)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant, S::Error> {
        check_variant(index)?;
        let inner = self.inner.serialize_tuple_variant(name, index, variant, len)?;
        Ok(Limited::at(inner, self.limits))
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant, S::Error> {
        check_variant(index)?;
        let inner = self.inner.serialize_struct_variant(name, index, variant, len)?;
        Ok(Limited::at(inner, self.limits))
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

impl<S: ser::SerializeSeq> ser::SerializeSeq for Limited<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_element<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.limits.count_element(S::Error::custom)?;
        self.inner.serialize_element(&Deeper { value, limits: self.limits })
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

impl<S: ser::SerializeMap> ser::SerializeMap for Limited<'_, S> {
    type Ok = S::Ok;
    type Error = S::Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), S::Error> {
        self.limits.count_element(S::Error::custom)?;
        self.inner.serialize_key(&Deeper { value: key, limits: self.limits })
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), S::Error> {
        self.inner.serialize_value(&Deeper { value, limits: self.limits })
    }

    fn end(self) -> Result<S::Ok, S::Error> {
        self.inner.end()
    }
}

/// The compound values whose number of elements is the type's.
macro_rules! compounds {
    ($($role:ident, $method:ident($($name:ident: $type:ty)?);)*) => {$(
        impl<S: ser::$role> ser::$role for Limited<'_, S> {
            type Ok = S::Ok;
            type Error = S::Error;

            fn $method<T: Serialize + ?Sized>(
                &mut self,
                $($name: $type,)?
                value: &T,
            ) -> Result<(), S::Error> {
                self.inner.$method($($name,)? &Deeper { value, limits: self.limits })
            }

            fn end(self) -> Result<S::Ok, S::Error> {
                self.inner.end()
            }
        }
    )*};
}

compounds! {
    SerializeTuple, serialize_element();
    SerializeTupleStruct, serialize_field();
    SerializeTupleVariant, serialize_field();
    SerializeStruct, serialize_field(key: &'static str);
    SerializeStructVariant, serialize_field(key: &'static str);
}
