//! What must not compile: misuse that other state stores answer with lost data or a crash.

#[test]
fn misuse_does_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
