//! What the derives refuse, and how they say it.

#[test]
fn refusals_name_the_reason() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
