/// How a case ended that did not fail. A case that fails panics, as a test does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "a skipped case should be seen"]
pub enum Outcome {
    /// The case ran to its end.
    Ran,
    /// The case needs what the backend declares not to have; the text says what.
    ///
    /// Legal only for a capability that is not [declared](keyed_state_core::Capabilities).
    Skipped(&'static str),
}
