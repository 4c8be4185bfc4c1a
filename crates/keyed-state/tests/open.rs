//! What `open` makes of URLs, good and bad.
#![allow(clippy::unwrap_used, reason = "helpers of tests fail as tests do")]

use keyed_state::{
    AnyBackend, BackendOptions, ClearStrategy, ErrorKind, KeyedStateBackend, Result,
};

fn open(url: &str) -> Result<AnyBackend<String>> {
    keyed_state::open(url, BackendOptions::new())
}

#[test]
fn memory_takes_the_options_of_every_backend() {
    let url = "memory:?max_parallelism=32768&key_groups=5..=9&clear=adaptive:7&clear_memory_bytes=2KiB\
               &timer_memory_bytes=1MiB";
    let backend = open(url).unwrap();
    let options = backend.options();
    assert_eq!(options.groups().get(), 32_768);
    assert_eq!((options.owned_key_groups().first(), options.owned_key_groups().last()), (5, 9));
    assert_eq!(options.default_clear_strategy(), Some(ClearStrategy::Adaptive { threshold: 7 }));
    assert_eq!(options.max_clear_memory_bytes(), 2 << 10);
    assert_eq!(options.max_timer_memory_bytes(), 1 << 20);
}

#[test]
fn f2_what_is_wrong_is_named_and_what_is_known_is_listed() {
    let cases = [
        ("memory:/path", "takes no path"),
        (
            "memory:?colour=red",
            "unknown option \"colour\"; known are clear, clear_memory_bytes, key_groups, \
             max_parallelism, timer_memory_bytes",
        ),
        ("memory:?max_parallelism=0", "from 1 to 32768"),
        ("memory:?max_parallelism=many", "from 1 to 32768"),
        ("memory:?key_groups=3", "FIRST..=LAST"),
        ("memory:?key_groups=9..=3", "9..=3"),
        ("memory:?key_groups=0..=128", "0..=128"),
        ("memory:?clear=slowly", "point_deletes"),
        ("memory:?clear_memory_bytes=much", "64KiB"),
        ("memory:?timer_memory_bytes=1MB", "64KiB"),
        ("redis://host", "path is expected, not a host"),
        ("redis:", "expected one of memory, fjall, rocksdb"),
    ];
    for (url, expected) in cases {
        let error = open(url).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{url}");
        assert!(error.to_string().contains(expected), "{url}: {error}");
    }
}

#[test]
fn a_scheme_whose_feature_is_off_names_the_feature() {
    for (scheme, on) in keyed_state::schemes() {
        let outcome = open(&format!("{scheme}:"));
        match (*scheme, on) {
            ("memory", _) => assert!(outcome.is_ok()),
            (_, true) => {
                assert!(outcome.unwrap_err().to_string().contains("a directory is expected"));
            }
            (_, false) => {
                let error = outcome.unwrap_err();
                assert_eq!(error.kind(), ErrorKind::Unsupported);
                assert!(error.to_string().contains(&format!("feature {scheme:?}")), "{error}");
            }
        }
    }
}

/// Everything that a durable backend goes through by URL: write, close, open again, refuse.
fn comes_back(scheme: &str, option: &str) {
    use keyed_state::{KeyedStateBackendExt, ValueDescriptor, ValueState};

    let dir = tempfile::tempdir().unwrap();
    let url = format!("{scheme}://{}/a%20b?{option}", dir.path().display());
    let total = ValueDescriptor::<u64>::new("total");
    let mut backend = open(&url).unwrap();
    let id = backend.register_value(&total).unwrap();
    backend.set_current_key(&"k".to_owned()).unwrap();
    backend.value(&id).unwrap().set(42).unwrap();
    backend.close().unwrap();
    assert!(dir.path().join("a b").is_dir());

    let mut backend = open(&url).unwrap();
    let id = backend.register_value(&total).unwrap();
    backend.set_current_key(&"k".to_owned()).unwrap();
    assert_eq!(backend.value(&id).unwrap().get().unwrap(), Some(42));

    assert_eq!(open(&url).unwrap_err().kind(), ErrorKind::Locked);
    drop(backend);
    assert_eq!(open(&url).unwrap_err().kind(), ErrorKind::NotCleanlyClosed);

    let unknown = open(&format!("{url}&colour=red")).unwrap_err();
    assert!(unknown.to_string().contains("unknown option \"colour\"; known are "), "{unknown}");
    let malformed =
        open(&format!("{scheme}:///nowhere?{}=lots", option.split('=').next().unwrap()));
    assert_eq!(malformed.unwrap_err().kind(), ErrorKind::InvalidArgument);
}

#[cfg(feature = "fjall")]
#[test]
fn fjall_comes_back() {
    comes_back("fjall", "cache_bytes=8MiB");
}

#[cfg(feature = "rocksdb")]
#[test]
fn rocksdb_comes_back() {
    comes_back("rocksdb", "memory_budget_bytes=16MiB");
}

#[cfg(feature = "rocksdb")]
#[test]
fn rocksdb_takes_any_of_its_options_by_url() {
    let dir = tempfile::tempdir().unwrap();
    let url = |option| format!("rocksdb://{}/db?{option}", dir.path().display());
    open(&url("db.max_background_jobs=3&cf.target_file_size_base=4194304")).unwrap();
    for (option, expected) in [
        ("db.no_such_option=1", "no_such_option"),
        ("cf.target_file_size_base=much", "target_file_size_base"),
        ("table.block_size=1", "known are"),
    ] {
        let error = open(&url(option)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{option}");
        assert!(error.to_string().contains(expected), "{option}: {error}");
    }
}
