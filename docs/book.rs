//! Compiles and runs every Rust block of the book and of the repository's README as a doc test.
//!
//! Nothing here is for use; `cargo test -p keyed-state-docs --doc` is the point.
#![forbid(unsafe_code)]

/// Makes a module of each chapter, whose documentation is the chapter.
macro_rules! chapters {
    ($($(#[$attribute:meta])* $name:ident: $file:literal;)*) => {$(
        $(#[$attribute])*
        #[doc = include_str!($file)]
        pub mod $name {}
    )*};
}

chapters! {
    readme: "../README.md";
    introduction: "src/introduction.md";
    concepts: "src/concepts.md";
    quick_start: "src/quick-start.md";
    types: "src/types.md";
    backends: "src/backends.md";
    clearing: "src/clearing.md";
    state_kinds: "src/state-kinds.md";
    ttl: "src/ttl.md";
    timers: "src/timers.md";
    windows: "src/windows.md";
    metrics: "src/metrics.md";
    errors: "src/errors.md";
    limits: "src/limits.md";
    contract: "src/contract.md";
    custom_backend: "src/custom-backend.md";
    key_format: "src/key-format.md";
}
