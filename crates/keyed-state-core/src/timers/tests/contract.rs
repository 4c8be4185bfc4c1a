//! The rules of timers, each on timers in memory, in the engine, and in both.

use super::{Backend, timer};
use crate::{ErrorKind, MAX_KEY_BYTES, MAX_STATE_NAME_BYTES, MaxParallelism, StateKey};

/// Runs a rule on every kind of backend, with one key group, in which keys come in the order of their bytes.
fn everywhere<K: StateKey>(rule: impl Fn(&mut Backend<K>)) {
    for backend in [Backend::in_memory(), Backend::tiny(), Backend::real(1 << 20)] {
        rule(&mut backend.options(|options| options.max_parallelism(MaxParallelism::ONE)));
    }
}

fn fire<K: StateKey, N: StateKey>(backend: &mut Backend<K>, time_ms: i64) -> Vec<(i64, K, N)> {
    backend.timers::<N>("t").unwrap().advance_to(time_ms).unwrap();
    let mut fired = Vec::new();
    while let Some(timer) = backend.timers("t").unwrap().pop_due().unwrap() {
        fired.push((timer.time_ms, timer.key, timer.namespace));
    }
    fired
}

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
fn w2_equal_times_fire_in_the_order_of_key_and_namespace() {
    everywhere(|backend| {
        for key in ["b", "aa", "a", "", "ab"] {
            for namespace in ["y", "xx", ""] {
                let mut timers = backend.at(text(key)).timers("t").unwrap();
                timers.register(7, &text(namespace)).unwrap();
            }
        }
        let fired: Vec<_> = fire::<String, String>(backend, 7)
            .into_iter()
            .map(|(_, key, namespace)| key + "/" + &namespace)
            .collect();
        let expected = [
            "/", "/xx", "/y", "a/", "a/xx", "a/y", "aa/", "aa/xx", "aa/y", "ab/", "ab/xx", "ab/y",
            "b/", "b/xx", "b/y",
        ];
        assert_eq!(fired, expected);
    });
}

#[test]
fn w2_equal_times_fire_by_key_group_first() {
    let mut backend = Backend::tiny();
    let groups = backend.context.options().groups();
    let mut keys: Vec<u64> = (0..50).collect();
    for key in &keys {
        backend.at(*key).timers("t").unwrap().register(7, &()).unwrap();
    }
    keys.sort_by_key(|key| (groups.group_of(&key.to_be_bytes()), *key));
    let fired: Vec<_> = fire::<u64, ()>(&mut backend, 7).iter().map(|fired| fired.1).collect();
    assert_eq!(fired, keys);
}

#[test]
fn w1_registered_twice_fires_once() {
    everywhere(|backend| {
        for _ in 0..2 {
            backend.at(1_u64).timers("t").unwrap().register(10, &5_u64).unwrap();
            backend.save().unwrap();
        }
        assert_eq!(backend.timers::<u64>("t").unwrap().len().unwrap(), 1);
        assert_eq!(fire(backend, 10), [(10, 1, 5_u64)]);
        backend.at(1).timers("t").unwrap().register(10, &5_u64).unwrap();
        assert_eq!(fire(backend, 10), [(10, 1, 5_u64)], "registered again after it fired");
    });
}

#[test]
fn w1_removed_never_fires_and_remove_says_whether_it_was_there() {
    everywhere(|backend| {
        for key in 0..20_u64 {
            backend.at(key).timers("t").unwrap().register(10, &()).unwrap();
        }
        backend.reopen().unwrap();
        let mut remove = |key, time| backend.at(key).timers("t").unwrap().remove(time, &());
        assert!(remove(7, 10).unwrap());
        assert!(!remove(7, 10).unwrap(), "removed before");
        assert!(!remove(8, 11).unwrap(), "another time");
        assert!(!remove(20, 10).unwrap(), "another key");
        assert_eq!(fire::<u64, ()>(backend, 10).len(), 19);
        assert!(!backend.at(9).timers("t").unwrap().remove(10, &()).unwrap(), "fired");
    });
}

#[test]
fn w2_all_times_from_least_to_greatest() {
    everywhere(|backend| {
        let times = [3, i64::MAX, -5, i64::MIN, 7, -1, 0];
        backend.current = Some(1_u64);
        for time in times {
            backend.timers("t").unwrap().register(time, &()).unwrap();
        }
        assert_eq!(backend.timers::<()>("t").unwrap().pop_due().unwrap(), None, "no time yet");
        assert_eq!(fire::<_, ()>(backend, i64::MIN), [(i64::MIN, 1, ())]);
        let times =
            |fired: Vec<(i64, u64, ())>| fired.iter().map(|timer| timer.0).collect::<Vec<_>>();
        assert_eq!(times(fire(backend, 6)), [-5, -1, 0, 3]);
        assert_eq!(times(fire(backend, i64::MAX)), [7, i64::MAX]);
    });
}

#[test]
fn w2_a_timer_of_the_past_fires_at_the_next_advance() {
    everywhere(|backend| {
        backend.current = Some(1_u64);
        assert_eq!(fire::<_, u64>(backend, 100), []);
        backend.timers("t").unwrap().register(-3, &1_u64).unwrap();
        backend.timers("t").unwrap().register(100, &2_u64).unwrap();
        assert_eq!(backend.timers::<u64>("t").unwrap().next_due().unwrap(), Some(-3));
        assert_eq!(fire(backend, 101), [(-3, 1, 1_u64), (100, 1, 2)]);
    });
}

#[test]
fn w2_registered_while_firing_comes_in_the_same_advance_once() {
    everywhere(|backend| {
        for namespace in 0..5_u64 {
            backend.at(1_u64).timers("t").unwrap().register(10, &namespace).unwrap();
        }
        backend.timers::<u64>("t").unwrap().advance_to(20).unwrap();
        let mut fired = Vec::new();
        while let Some(timer) = backend.timers::<u64>("t").unwrap().pop_due().unwrap() {
            let mut timers = backend.timers("t").unwrap();
            if timer.time_ms == 10 {
                timers.register(20, &timer.namespace).unwrap();
                timers.register(9, &(timer.namespace + 10)).unwrap();
                timers.register(21, &timer.namespace).unwrap();
            }
            fired.push((timer.time_ms, timer.namespace));
        }
        let mut expected: Vec<_> = (0..5).flat_map(|n| [(10, n), (9, n + 10)]).collect();
        expected.extend((0..5).map(|n| (20, n)));
        assert_eq!(fired, expected);
        assert_eq!(backend.timers::<u64>("t").unwrap().len().unwrap(), 5);
    });
}

#[test]
fn firing_stops_when_the_caller_does_and_goes_on_later() {
    everywhere(|backend| {
        for key in 0..100_u64 {
            backend.at(key).timers("t").unwrap().register(1, &()).unwrap();
        }
        let mut timers = backend.timers::<()>("t").unwrap();
        timers.advance_to(5).unwrap();
        assert_eq!(timers.pop_due().unwrap(), Some(timer(1, 0, ())));
        assert_eq!(timers.len().unwrap(), 99);
        timers.advance_to(2).unwrap();
        assert_eq!(timers.current_time(), Some(5), "time never goes back");
        assert_eq!(fire::<_, ()>(backend, 5).len(), 99);
    });
}

#[test]
fn w2_timers_and_times_are_kept_when_closed_and_opened() {
    for mut backend in [Backend::tiny(), Backend::real(0), Backend::real(1 << 20)] {
        for (service, time) in [("a", 5), ("b", 6)] {
            backend.at(1_u64).timers(service).unwrap().register(time, &()).unwrap();
            backend.timers::<()>(service).unwrap().advance_to(time - 1).unwrap();
        }
        backend.reopen().unwrap();
        // Nobody asks for "a": it is carried along.
        backend.timers::<()>("b").unwrap();
        backend.reopen().unwrap();
        for (service, time) in [("a", 5), ("b", 6)] {
            let mut timers = backend.timers::<()>(service).unwrap();
            assert_eq!(timers.current_time(), Some(time - 1));
            assert_eq!(timers.pop_due().unwrap(), None);
            timers.advance_to(time).unwrap();
            assert_eq!(timers.pop_due().unwrap(), Some(timer(time, 1, ())));
        }
    }
}

#[test]
fn k1_no_current_key_is_an_error_where_one_is_needed() {
    everywhere(|backend: &mut Backend<u64>| {
        let mut timers = backend.timers::<()>("t").unwrap();
        let errors = [
            timers.register(1, &()).unwrap_err(),
            timers.remove(1, &()).unwrap_err(),
            timers.times(&()).unwrap_err(),
        ];
        assert!(errors.iter().all(|error| error.kind() == ErrorKind::NoCurrentKey));
        timers.advance_to(1).unwrap();
        assert_eq!(timers.pop_due().unwrap(), None);
        assert!(timers.is_empty().unwrap());
    });
}

#[test]
fn k3_one_name_has_one_type_of_namespace() {
    let mut backend = Backend::<u64>::tiny();
    backend.timers::<u64>("t").unwrap();
    let error = backend.timers::<String>("t").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StateMismatch);
    assert_eq!(
        error.to_string(),
        "timer service \"t\": it was opened with namespaces of u64, not of string"
    );
    // One byte form of two Rust types.
    backend.timers::<Vec<u8>>("bytes").unwrap();
    let error = backend.timers::<Box<Vec<u8>>>("bytes").unwrap_err();
    assert!(error.to_string().contains("Rust type"), "{error}");
    backend.reopen().unwrap();
    let error = backend.timers::<String>("t").unwrap_err();
    assert_eq!(error.kind(), ErrorKind::StateMismatch);
    assert_eq!(
        error.to_string(),
        "timer service \"t\": it is stored with namespaces of u64, not of string"
    );
    backend.timers::<u64>("t").unwrap();
}

#[test]
fn f2_names_have_limits() {
    let mut backend = Backend::<u64>::tiny();
    for bad in ["", "a\u{0}b", "line\nbreak", &"x".repeat(MAX_STATE_NAME_BYTES + 1)] {
        let error = backend.timers::<()>(bad).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument, "{bad:?}");
    }
    // The engine of these tests checks the name of the table.
    backend.timers::<()>(&"\u{7FF}".repeat(MAX_STATE_NAME_BYTES / 2)).unwrap();
}

#[test]
fn f2_a_timer_that_is_too_long_is_refused() {
    everywhere(|backend: &mut Backend<Vec<u8>>| {
        let mut timers = backend.at(vec![1; MAX_KEY_BYTES - 13]).timers("t").unwrap();
        timers.register(1, &Vec::<u8>::new()).unwrap();
        let error = timers.register(1, &vec![1_u8]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::InvalidArgument);
        assert!(error.to_string().starts_with("timer service \"t\": "), "{error}");
        assert_eq!(fire::<_, Vec<u8>>(backend, 1).len(), 1);
    });
}

#[test]
fn times_are_those_of_the_current_key_and_namespace() {
    everywhere(|backend| {
        for time in [9, -2, 4] {
            backend.at(1_u64).timers("t").unwrap().register(time, &1_u64).unwrap();
            backend.at(1).timers("t").unwrap().register(time + 1, &2_u64).unwrap();
            backend.at(2).timers("t").unwrap().register(time + 2, &1_u64).unwrap();
        }
        assert_eq!(backend.at(1).timers("t").unwrap().times(&1_u64).unwrap(), [-2, 4, 9]);
        assert_eq!(backend.at(2).timers("t").unwrap().times(&1_u64).unwrap(), [0, 6, 11]);
        assert_eq!(backend.at(2).timers("t").unwrap().times(&2_u64).unwrap(), []);
    });
}

#[test]
fn a_walk_ends_with_the_first_error_of_its_visitor() {
    everywhere(|backend| {
        for time in 0..9 {
            backend.at(1_u64).timers("t").unwrap().register(time, &()).unwrap();
        }
        let mut visited = 0;
        let result = backend.timers::<()>("t").unwrap().for_each(|timer| {
            visited += 1;
            if timer.time_ms < 4 { Ok(()) } else { Err(crate::Error::from_function("enough")) }
        });
        assert_eq!(result.unwrap_err().kind(), ErrorKind::Function);
        assert_eq!(visited, 5);
    });
}
