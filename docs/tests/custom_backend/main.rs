//! The engine of the chapter "Writing a backend", under the whole suite.

#[expect(unreachable_pub, reason = "the engine is shown as a crate would publish it")]
mod my_engine;

use std::path::Path;

use keyed_state::Result;
use keyed_state_conformance::EngineFixture;
use my_engine::MyEngine;

struct MyFixture;

impl EngineFixture for MyFixture {
    type Engine = MyEngine;

    fn open(&self, _: &Path) -> Result<MyEngine> {
        Ok(MyEngine::default())
    }
}

keyed_state_conformance::engine_suite!(MyFixture);

#[test]
fn the_chapter_shows_this_engine() {
    let chapter = include_str!("../../src/custom-backend.md");
    assert!(
        chapter.contains(include_str!("my_engine.rs")),
        "the code in src/custom-backend.md is not that of tests/custom_backend/my_engine.rs"
    );
}
