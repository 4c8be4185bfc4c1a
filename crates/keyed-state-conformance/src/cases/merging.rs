//! L2: merging namespaces, of every kind of state that has it.

use keyed_state_core::{ErrorKind, KeyedStateBackend};

use crate::{
    Fixture, Outcome,
    kinds::{FAILS, MergingKind, PANICS, merging_kinds},
    support::{Home, Must, panics},
};

const KEY: u64 = 1;
const OTHER_KEY: u64 = 2;

/// Namespaces and their texts; all other namespaces are empty.
pub(crate) type Texts<'a> = &'a [(u64, &'a str)];

/// Runs `check` for each kind, on a new backend under a key.
fn with_each_kind<F: Fixture>(
    fixture: &F,
    mut check: impl FnMut(&mut F::Backend<u64>, &dyn MergingKind<F::Backend<u64>>),
) {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let kinds = merging_kinds(&mut backend, "state", None);
    backend.set_current_key(&KEY).must();
    for kind in kinds {
        check(&mut backend, kind.as_ref());
    }
}

/// Adds texts under the current key.
#[track_caller]
pub(crate) fn add<B: KeyedStateBackend>(
    backend: &mut B,
    kind: &dyn MergingKind<B>,
    texts: Texts<'_>,
) {
    for (namespace, text) in texts {
        kind.add(backend, *namespace, text).must();
    }
}

/// Demands that there are exactly these texts under the current key, to every reader.
#[track_caller]
pub(crate) fn expect<B: KeyedStateBackend<Key = u64>>(
    backend: &mut B,
    kind: &dyn MergingKind<B>,
    texts: Texts<'_>,
) {
    let text = |namespace| texts.iter().find(|(n, _)| *n == namespace).map_or("", |(_, text)| text);
    for namespace in 0..10 {
        let found = kind.read(backend, namespace).must();
        assert_eq!(found, text(namespace), "{} in namespace {namespace}", kind.name());
    }
    let key = *backend.current_key().expect("a case sets one");
    let pairs = kind.pairs(backend).must().into_iter();
    let listed = pairs.filter(|(k, _)| *k == key).map(|(_, namespace)| namespace);
    let mut expected: Vec<u64> = texts.iter().map(|(namespace, _)| *namespace).collect();
    expected.sort_unstable();
    assert!(listed.eq(expected), "{}: empty namespaces must not be listed", kind.name());
}

/// L2: the target comes first, then the sources in the order given, and the sources end empty. (85)
pub fn l2_the_target_comes_first_then_the_sources_in_order<F: Fixture>(fixture: &F) -> Outcome {
    with_each_kind(fixture, |backend, kind| {
        // Written in another order than they are merged in.
        add(backend, kind, &[(1, "s1;"), (3, "s3;"), (2, "s2;"), (5, "t;"), (1, "s1b;")]);
        kind.merge(backend, 5, &[2, 3, 1]).must();
        expect(backend, kind, &[(5, "t;s2;s3;s1;s1b;")]);
        kind.add(backend, 5, "after;").must();
        expect(backend, kind, &[(5, "t;s2;s3;s1;s1b;after;")]);
    });
    Outcome::Ran
}

/// L2: a source that is named twice counts once, at its first place, and the target among the sources not at all.
pub fn l2_a_source_counts_once<F: Fixture>(fixture: &F) -> Outcome {
    with_each_kind(fixture, |backend, kind| {
        add(backend, kind, &[(1, "s1;"), (2, "s2;"), (5, "t;"), (8, "other;")]);
        kind.merge(backend, 5, &[2, 5, 2, 1, 2, 5, 1]).must();
        expect(backend, kind, &[(5, "t;s2;s1;"), (8, "other;")]);
        kind.merge(backend, 5, &[5]).must();
        kind.merge(backend, 5, &[5, 5]).must();
        expect(backend, kind, &[(5, "t;s2;s1;"), (8, "other;")]);
    });
    Outcome::Ran
}

/// L2: without sources, or with empty ones, nothing changes; an empty target takes over the sources. (69)
pub fn l2_empty_targets_and_sources_are_fine<F: Fixture>(fixture: &F) -> Outcome {
    with_each_kind(fixture, |backend, kind| {
        for (before, target, sources, after) in [
            (&[][..], 5, &[][..], &[][..]),
            (&[], 5, &[1, 2], &[]),
            (&[(5, "t;")], 5, &[], &[(5, "t;")]),
            (&[(5, "t;")], 5, &[1, 2], &[(5, "t;")]),
            (&[(1, "a;")], 5, &[1], &[(5, "a;")]),
            (&[(1, "a;"), (3, "c;")], 5, &[3, 2, 1], &[(5, "c;a;")]),
            (&[(5, "t;"), (2, "b;")], 5, &[1, 2, 3], &[(5, "t;b;")]),
        ] {
            add(backend, kind, before);
            kind.merge(backend, target, sources).must();
            expect(backend, kind, after);
            kind.clear(backend, 5).must();
            expect(backend, kind, &[]);
        }
    });
    Outcome::Ran
}

/// L2: a namespace that was cleared is an empty source, and a merged source may be filled and merged again.
pub fn l2_sources_may_be_used_again<F: Fixture>(fixture: &F) -> Outcome {
    with_each_kind(fixture, |backend, kind| {
        add(backend, kind, &[(5, "t;"), (1, "gone;"), (2, "b;")]);
        kind.clear(backend, 1).must();
        kind.merge(backend, 5, &[1, 2]).must();
        add(backend, kind, &[(2, "b2;"), (1, "a2;")]);
        expect(backend, kind, &[(1, "a2;"), (2, "b2;"), (5, "t;b;")]);
        kind.merge(backend, 5, &[1, 2]).must();
        kind.add(backend, 5, "t2;").must();
        // What was a target becomes a source.
        kind.merge(backend, 2, &[5, 1]).must();
        expect(backend, kind, &[(2, "t;b;a2;b2;t2;")]);
    });
    Outcome::Ran
}

/// L2: merging leaves every other key, namespace and state, and the current key, as they are.
pub fn l2_merging_leaves_everything_else<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let (kinds, others) =
        (merging_kinds(&mut backend, "a", None), merging_kinds(&mut backend, "b", None));
    let before: Texts<'_> = &[(0, "zero;"), (1, "one;"), (2, "two;"), (3, "three;")];
    for key in [KEY, OTHER_KEY] {
        backend.set_current_key(&key).must();
        for kind in kinds.iter().chain(&others) {
            add(&mut backend, kind.as_ref(), before);
        }
    }
    backend.set_current_key(&KEY).must();
    for kind in &kinds {
        kind.merge(&mut backend, 2, &[1]).must();
        assert_eq!(backend.current_key(), Some(&KEY));
    }
    for (kind, other) in kinds.iter().zip(&others) {
        let after: Texts<'_> = &[(0, "zero;"), (2, "two;one;"), (3, "three;")];
        expect(&mut backend, kind.as_ref(), after);
        expect(&mut backend, other.as_ref(), before);
        backend.set_current_key(&OTHER_KEY).must();
        expect(&mut backend, kind.as_ref(), before);
        backend.set_current_key(&KEY).must();
    }
    Outcome::Ran
}

/// L2, M7: a function that fails or panics, at the first pair or a later one, changes nothing in any namespace. (87)
pub fn l2_a_failing_function_changes_nothing<F: Fixture>(fixture: &F) -> Outcome {
    with_each_kind(fixture, |backend, kind| {
        if !kind.combines() {
            return;
        }
        for bad in [FAILS, PANICS] {
            let before: Texts<'_> = &[(1, "s1;"), (2, bad), (3, "s3;"), (5, "t;")];
            add(backend, kind, before);
            for sources in [&[2][..], &[2, 1], &[1, 2], &[3, 1, 2], &[1, 2, 3]] {
                if bad == FAILS {
                    kind.merge(backend, 5, sources).must_fail(ErrorKind::Function);
                } else {
                    assert!(panics(|| kind.merge(backend, 5, sources)));
                }
                expect(backend, kind, before);
                assert_eq!(backend.current_key(), Some(&KEY));
            }
            kind.merge(backend, 5, &[3, 1]).must();
            expect(backend, kind, &[(2, bad), (5, "t;s3;s1;")]);
            kind.clear(backend, 5).must();
            kind.clear(backend, 2).must();
        }
    });
    Outcome::Ran
}

/// L2: a merge holds over flushing, compacting and opening again, and what is added to the target then comes last.
pub fn l2_a_merge_holds_when_opened_again<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    let capabilities = backend.capabilities();
    let mut expected = "t;".to_owned();
    for round in 0..4 {
        let kinds = merging_kinds(&mut backend, "state", None);
        backend.set_current_key(&KEY).must();
        for kind in &kinds {
            if round == 0 {
                kind.add(&mut backend, 5, "t;").must();
            }
            add(&mut backend, kind.as_ref(), &[(2, "b;"), (1, "a;")]);
        }
        backend.flush().must();
        for kind in &kinds {
            kind.merge(&mut backend, 5, &[1, 2]).must();
            kind.add(&mut backend, 5, "after;").must();
        }
        expected += "a;b;after;";
        match round {
            0 => backend.flush().must(),
            1 if capabilities.compact => backend.compact().must(),
            _ if capabilities.durable => backend = home.reopen(fixture, backend),
            _ => {}
        }
        let kinds = merging_kinds(&mut backend, "state", None);
        backend.set_current_key(&KEY).must();
        for kind in &kinds {
            expect(&mut backend, kind.as_ref(), &[(5, &expected)]);
        }
    }
    Outcome::Ran
}

/// L2: session windows that a late event joins become one, with all that was in them. (90)
pub fn l2_session_windows_become_one<F: Fixture>(fixture: &F) -> Outcome {
    with_each_kind(fixture, |backend, kind| {
        // Windows by their start: 0 to 10 and 20 to 30, joined by 5 to 25; 60 to 70 is apart.
        add(backend, kind, &[(0, "at 0;"), (6, "apart;"), (2, "at 20;"), (0, "at 3;")]);
        let late = 7;
        kind.add(backend, late, "at 5;").must();
        kind.merge(backend, 0, &[2, late]).must();
        expect(backend, kind, &[(0, "at 0;at 3;at 20;at 5;"), (6, "apart;")]);
    });
    Outcome::Ran
}

/// K1: merging needs a current key, whether or not there is anything to merge.
pub fn k1_merging_needs_a_current_key<F: Fixture>(fixture: &F) -> Outcome {
    let home = Home::new();
    let mut backend = home.open::<F, u64>(fixture);
    for kind in merging_kinds(&mut backend, "state", None) {
        for sources in [&[][..], &[5], &[1, 2]] {
            kind.merge(&mut backend, 5, sources).must_fail(ErrorKind::NoCurrentKey);
        }
        kind.add(&mut backend, 5, "t;").must_fail(ErrorKind::NoCurrentKey);
        assert_eq!(kind.pairs(&mut backend).must(), []);
    }
    Outcome::Ran
}

/// K3: an id of another backend is refused by every kind and by merging, whether or not there is anything to merge.
pub fn k3_merging_by_an_id_of_another_backend_is_refused<F: Fixture>(fixture: &F) -> Outcome {
    let (home, other_home) = (Home::new(), Home::new());
    let (mut backend, mut other) =
        (home.open::<F, u64>(fixture), other_home.open::<F, u64>(fixture));
    let foreign = merging_kinds(&mut backend, "state", None);
    merging_kinds(&mut other, "state", None);
    other.set_current_key(&KEY).must();
    for kind in foreign {
        for sources in [&[][..], &[5], &[1, 2]] {
            kind.merge(&mut other, 5, sources).must_fail(ErrorKind::UnknownState);
        }
        kind.add(&mut other, 5, "t;").must_fail(ErrorKind::UnknownState);
        kind.read(&mut other, 5).map(drop).must_fail(ErrorKind::UnknownState);
        kind.pairs(&mut other).must_fail(ErrorKind::UnknownState);
        kind.expired(&mut other).must_fail(ErrorKind::UnknownState);
    }
    Outcome::Ran
}
