use std::sync::atomic::{AtomicI64, Ordering};

use keyed_state_core::{ExpiryNow, StateValue};

/// What is stored for one value: without TTL the value alone, with TTL its last touch too.
pub(crate) trait Slot: Send + Sync + 'static {
    /// Whether anything in such slots ever expires.
    const EXPIRES: bool;

    type Value: StateValue;
    /// What life and death are decided by.
    type At: Copy + Send + Sync;
    /// A bound below the touches of several slots.
    type Oldest: Copy + Send + Sync;

    /// Makes a slot that was touched at `touched_ms`, or now.
    fn new(value: Self::Value, touched_ms: Option<i64>, at: Self::At) -> Self;

    fn value(&self) -> &Self::Value;

    fn touched_ms(&self) -> Option<i64>;

    fn is_live(&self, at: Self::At) -> bool;

    /// Notes a read, if reading touches.
    fn read(&self, at: Self::At);

    /// Returns the bound for this slot alone.
    fn oldest(&self) -> Self::Oldest;

    /// Returns the bound for slots that are touched from now on.
    fn now(at: Self::At) -> Self::Oldest;

    /// Returns the bound for all that either is one for.
    fn older(a: Self::Oldest, b: Self::Oldest) -> Self::Oldest;

    /// Returns whether anything above the bound may have expired.
    fn any_expired(oldest: Self::Oldest, at: Self::At) -> bool;

    /// Takes the rule that the table of such slots was registered with.
    fn at(expiry: Option<ExpiryNow>) -> Self::At;
}

/// A value without TTL.
pub(crate) struct Plain<V>(V);

impl<V: StateValue> Slot for Plain<V> {
    const EXPIRES: bool = false;

    type Value = V;
    type At = ();
    type Oldest = ();

    fn new(value: V, _touched_ms: Option<i64>, (): ()) -> Self {
        Self(value)
    }

    fn value(&self) -> &V {
        &self.0
    }

    fn touched_ms(&self) -> Option<i64> {
        None
    }

    fn is_live(&self, (): ()) -> bool {
        true
    }

    fn read(&self, (): ()) {}

    fn oldest(&self) {}

    fn now((): ()) {}

    fn older((): (), (): ()) {}

    fn any_expired((): (), (): ()) -> bool {
        false
    }

    fn at(_expiry: Option<ExpiryNow>) {}
}

/// A value with TTL.
pub(crate) struct Stamped<V> {
    /// Atomic, since a read through `&self` may touch.
    touched_ms: AtomicI64,
    value: V,
}

impl<V: StateValue> Slot for Stamped<V> {
    const EXPIRES: bool = true;

    type Value = V;
    type At = ExpiryNow;
    type Oldest = i64;

    fn new(value: V, touched_ms: Option<i64>, at: ExpiryNow) -> Self {
        Self { touched_ms: AtomicI64::new(touched_ms.unwrap_or(at.now_ms())), value }
    }

    fn value(&self) -> &V {
        &self.value
    }

    fn touched_ms(&self) -> Option<i64> {
        Some(self.oldest())
    }

    fn is_live(&self, at: ExpiryNow) -> bool {
        !at.is_expired(self.oldest())
    }

    fn read(&self, at: ExpiryNow) {
        if at.read_touches(self.oldest()) {
            self.touched_ms.store(at.now_ms(), Ordering::Relaxed);
        }
    }

    fn oldest(&self) -> i64 {
        self.touched_ms.load(Ordering::Relaxed)
    }

    fn now(at: ExpiryNow) -> i64 {
        at.now_ms()
    }

    fn older(a: i64, b: i64) -> i64 {
        a.min(b)
    }

    fn any_expired(oldest: i64, at: ExpiryNow) -> bool {
        at.is_expired(oldest)
    }

    fn at(expiry: Option<ExpiryNow>) -> ExpiryNow {
        expiry.expect("a table of stamped slots belongs to a state with TTL")
    }
}
