//! Bounds recursion. A type can hold itself only through `Box` or `Vec`, so that the check is there and
//! costs the flat types nothing.

use std::{
    any::type_name,
    cell::{Cell, RefCell},
};

use super::Decode;
use crate::{Error, ErrorKind, Result};

/// How deep boxes and lists may be nested in one value, when it is written and when it is read.
///
/// A few stored bytes can ask for a level each; without a bound, damaged ones could overflow the stack.
pub const MAX_NESTING: usize = 128;

thread_local! {
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    static DESCRIBED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// Gives the level back, also when a codec panics.
struct Level;

impl Drop for Level {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// Runs `inner` one level deeper.
#[inline]
pub(super) fn nested<T>(inner: impl FnOnce() -> Result<T>) -> Result<T> {
    let depth = DEPTH.get();
    if depth == MAX_NESTING {
        return Err(too_deep());
    }
    DEPTH.set(depth + 1);
    let _level = Level;
    inner()
}

#[cold]
fn too_deep() -> Error {
    Error::new(
        ErrorKind::Codec,
        format!("a value may nest at most {MAX_NESTING} levels of boxes and lists"),
    )
}

/// Returns the schema of `T`, or where it is being described already, `^` and how many boxes and lists
/// further out.
pub(super) fn schema_of<T: Decode>() -> String {
    let name = type_name::<T>();
    let outer = DESCRIBED.with_borrow_mut(|described| {
        let outer = described.iter().rev().position(|other| *other == name);
        if outer.is_none() {
            described.push(name);
        }
        outer
    });
    if let Some(levels) = outer {
        return format!("^{levels}");
    }
    let _described = Described;
    T::schema()
}

struct Described;

impl Drop for Described {
    fn drop(&mut self) {
        DESCRIBED.with_borrow_mut(Vec::pop);
    }
}
