use std::{
    any::Any,
    hash::{BuildHasher as _, Hash},
};

use foldhash::fast::FixedState;
use hashbrown::HashTable;
use keyed_state_core::{ExpiryNow, StateKey};

/// At every so manieth access to a state with TTL, a step of the cleanup looks at the next buckets for what has
/// expired; in a map of many entries at so many at most. Seldom and many, since buckets beside each other are quick to walk.
const ACCESSES_A_STEP: u32 = 32;
const BUCKETS_A_STEP: usize = 32;
const ENTRIES_A_STEP: usize = 512;

/// The storage of one state.
pub(crate) struct Table<K, N, T: Held> {
    pub(crate) entries: Entries<K, N, T>,
    /// The namespace of the last view: kept here so that views borrow it and none is cloned anew.
    namespace: Option<N>,
    /// The bucket at which the next step of the cleanup begins, and where in its map.
    bucket: usize,
    resume: Option<T::Resume>,
    accesses: u32,
    round: Option<Round<T::Oldest>>,
    /// Nothing in the table was touched before, so the cleanup may rest until this has expired.
    resting: Option<T::Oldest>,
}

/// One walk of the cleanup over all buckets, as long as it has missed nothing.
struct Round<O> {
    /// A bound below the touches of all that it has met, and of all that was written since it began.
    oldest: O,
    /// How many buckets there were when it began.
    buckets: usize,
}

impl<K: StateKey, N: StateKey, T: Held> Table<K, N, T> {
    pub(crate) fn new() -> Self {
        Self {
            entries: Entries::default(),
            namespace: None,
            bucket: 0,
            resume: None,
            accesses: 0,
            round: None,
            resting: None,
        }
    }

    /// Lends the entries and a copy of `namespace` that lives as long.
    pub(crate) fn enter(&mut self, namespace: &N) -> (&mut Entries<K, N, T>, &N) {
        let slot = match &mut self.namespace {
            Some(slot) => {
                slot.clone_from(namespace);
                slot
            }
            none => none.insert(namespace.clone()),
        };
        (&mut self.entries, slot)
    }

    /// Counts an access, and takes a step of the cleanup if it is time for one.
    pub(crate) fn sweep(&mut self, at: T::At) {
        if !T::EXPIRES {
            return;
        }
        self.accesses += 1;
        if self.accesses == ACCESSES_A_STEP {
            self.accesses = 0;
            self.resting = self.resting.filter(|oldest| !T::any_expired(*oldest, at));
            if self.resting.is_none() {
                self.step(at);
            }
        }
    }

    /// Removes what has expired from the next few buckets.
    #[cold]
    fn step(&mut self, at: T::At) {
        for _ in 0..BUCKETS_A_STEP {
            let buckets = self.entries.table.num_buckets();
            if self.bucket >= buckets {
                self.bucket = 0;
                let round = self.round.replace(Round { oldest: T::now(at), buckets });
                // Growing moves entries past the walk.
                let complete = round.filter(|round| round.buckets == buckets);
                self.resting = complete.map(|round| round.oldest);
                if self.resting.is_some() {
                    return;
                }
            }
            // Growing may have put another map into the bucket: then the walk begins somewhere in it,
            // and the next round sees the rest.
            let resume = self.resume.take();
            let purged = match self.entries.table.get_bucket_mut(self.bucket) {
                Some(entry) => {
                    let purged = entry.held.purge(at, resume, ENTRIES_A_STEP);
                    if let (Some(round), Purged::Done | Purged::Rest(_)) =
                        (&mut self.round, &purged)
                    {
                        round.oldest = T::older(round.oldest, entry.held.oldest());
                    }
                    purged
                }
                None => Purged::Done,
            };
            match purged {
                Purged::Rest(resume) => {
                    self.resume = Some(resume);
                    return;
                }
                Purged::Done => {}
                Purged::Empty => {
                    if let Ok(entry) = self.entries.table.get_bucket_entry(self.bucket) {
                        entry.remove();
                    }
                }
            }
            self.bucket += 1;
        }
    }
}

/// What one state holds, by key and namespace. The seed of the hashes is fixed, so that runs are alike.
pub(crate) struct Entries<K, N, T> {
    // Not a hash map: the cleanup walks over the buckets in steps.
    table: HashTable<Entry<K, N, T>>,
    hashes: FixedState,
}

struct Entry<K, N, T> {
    key: K,
    namespace: N,
    held: T,
}

/// A key and a namespace.
#[derive(Hash)]
pub(crate) struct Place<'a, K, N>(pub(crate) &'a K, pub(crate) &'a N);

impl<K, N> Clone for Place<'_, K, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K, N> Copy for Place<'_, K, N> {}

impl<K: Eq, N: Eq> Place<'_, K, N> {
    fn is_of<T>(&self, entry: &Entry<K, N, T>) -> bool {
        *self.0 == entry.key && *self.1 == entry.namespace
    }
}

impl<K, N, T> Default for Entries<K, N, T> {
    fn default() -> Self {
        Self { table: HashTable::new(), hashes: FixedState::default() }
    }
}

impl<K: StateKey, N: StateKey, T> Entries<K, N, T> {
    pub(crate) fn get(&self, place: Place<'_, K, N>) -> Option<&T> {
        let hash = self.hashes.hash_one(place);
        self.table.find(hash, |entry| place.is_of(entry)).map(|entry| &entry.held)
    }

    pub(crate) fn get_mut(&mut self, place: Place<'_, K, N>) -> Option<&mut T> {
        let hash = self.hashes.hash_one(place);
        self.table.find_mut(hash, |entry| place.is_of(entry)).map(|entry| &mut entry.held)
    }

    /// Sets what a place holds, and clones the place if it held nothing.
    pub(crate) fn insert(&mut self, place: Place<'_, K, N>, held: T) {
        if let Some(slot) = self.get_mut(place) {
            *slot = held;
            return;
        }
        let Self { table, hashes } = self;
        let entry = Entry { key: place.0.clone(), namespace: place.1.clone(), held };
        table.insert_unique(hashes.hash_one(place), entry, |entry| {
            hashes.hash_one(Place(&entry.key, &entry.namespace))
        });
    }

    pub(crate) fn remove(&mut self, place: Place<'_, K, N>) {
        let hash = self.hashes.hash_one(place);
        if let Ok(entry) = self.table.find_entry(hash, |entry| place.is_of(entry)) {
            entry.remove();
        }
    }
}

/// What a table may hold for each key and namespace.
pub(crate) trait Held: Send + 'static {
    /// Whether anything in it ever expires.
    const EXPIRES: bool;

    /// What life and death are decided by.
    type At: Copy;
    /// A place in it, at which a cleanup goes on.
    type Resume: Send;
    /// A bound below the touches of several entries.
    type Oldest: Copy + Send;

    fn at(expiry: Option<ExpiryNow>) -> Self::At;

    /// Returns whether anything in it has not expired.
    fn is_live(&self, at: Self::At) -> bool;

    /// Returns how many entries in it have expired.
    fn expired(&self, at: Self::At) -> usize;

    /// Returns a bound below the touches of what is in it.
    fn oldest(&self) -> Self::Oldest;

    /// Returns the bound for what is touched from now on.
    fn now(at: Self::At) -> Self::Oldest;

    /// Returns the bound for all that either is one for.
    fn older(a: Self::Oldest, b: Self::Oldest) -> Self::Oldest;

    /// Returns whether anything above the bound may have expired.
    fn any_expired(oldest: Self::Oldest, at: Self::At) -> bool;

    /// Removes what has expired among the next `budget` entries.
    fn purge(
        &mut self,
        at: Self::At,
        resume: Option<Self::Resume>,
        budget: usize,
    ) -> Purged<Self::Resume>;
}

/// What a cleanup has left.
pub(crate) enum Purged<R> {
    /// Everything was looked at.
    Done,
    /// Nothing is left in it.
    Empty,
    /// From here on nothing was looked at.
    Rest(R),
}

/// A [`Table`] whose types only its id knows.
pub(crate) trait AnyTable<K>: Any + Send {
    fn as_any_mut(&mut self) -> &mut dyn Any;

    /// Returns the keys that have anything live under `namespace`, an `N`.
    fn keys(&self, namespace: &dyn Any, expiry: Option<ExpiryNow>) -> Vec<K>;

    /// Appends every key and namespace with anything live to `found`, a `Vec<(K, N)>`.
    fn keys_and_namespaces(&self, found: &mut dyn Any, expiry: Option<ExpiryNow>);

    /// Counts the entries that have expired.
    fn expired(&self, expiry: Option<ExpiryNow>) -> u64;

    /// Takes note that something is to be written with a touch from the past.
    fn written_late(&mut self);
}

impl<K: StateKey, N: StateKey, T: Held> AnyTable<K> for Table<K, N, T> {
    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn keys(&self, namespace: &dyn Any, expiry: Option<ExpiryNow>) -> Vec<K> {
        let namespace: &N =
            namespace.downcast_ref().expect("the id has the table's namespace type");
        let at = T::at(expiry);
        let found = self.entries.table.iter().filter(|entry| entry.namespace == *namespace);
        found.filter(|entry| entry.held.is_live(at)).map(|entry| entry.key.clone()).collect()
    }

    fn keys_and_namespaces(&self, found: &mut dyn Any, expiry: Option<ExpiryNow>) {
        let found: &mut Vec<(K, N)> =
            found.downcast_mut().expect("the id has the table's namespace type");
        let at = T::at(expiry);
        let live = self.entries.table.iter().filter(|entry| entry.held.is_live(at));
        found.extend(live.map(|entry| (entry.key.clone(), entry.namespace.clone())));
    }

    fn expired(&self, expiry: Option<ExpiryNow>) -> u64 {
        let at = T::at(expiry);
        self.entries.table.iter().map(|entry| entry.held.expired(at) as u64).sum()
    }

    fn written_late(&mut self) {
        self.round = None;
        self.resting = None;
    }
}
