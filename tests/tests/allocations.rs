//! Core allocates nothing for `get`, `put`, `contains`, `remove` and changing the key, beyond the ownership of
//! keys and values: shown by a counting allocator and an engine that allocates nothing itself.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
};

use keyed_state_core::{
    BackendOptions, Capabilities, Cursor, Direction, Engine, EngineBackend, KeyRange,
    KeyedStateBackend, KeyedStateBackendExt, MapDescriptor, MapState, Result, TableId,
    ValueDescriptor, ValueState, WriteBatch, WriteOp,
};

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

#[expect(unsafe_code, reason = "counting allocations takes an allocator")]
// SAFETY: every call is passed on to the system's allocator; counting touches a plain cell that needs no
// allocation itself.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns how often `run` allocates.
fn allocations(run: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.get();
    run();
    ALLOCATIONS.get() - before
}

/// A row in a slot that is kept, memory and all, when the row is deleted.
struct Slot {
    table: TableId,
    key: Vec<u8>,
    value: Vec<u8>,
    live: bool,
}

/// An engine of a few slots, which allocates for a key or value longer than any before in its slot only.
#[derive(Default)]
struct SlotEngine {
    tables: Vec<String>,
    slots: Vec<Slot>,
}

impl SlotEngine {
    fn find(&self, table: TableId, key: &[u8]) -> Option<usize> {
        self.slots.iter().position(|slot| slot.live && slot.table == table && slot.key == key)
    }
}

impl Engine for SlotEngine {
    fn capabilities(&self) -> Capabilities {
        Capabilities::default()
    }

    fn open_table(&mut self, name: &str) -> Result<TableId> {
        let index = self.tables.iter().position(|table| table == name).unwrap_or_else(|| {
            self.tables.push(name.to_owned());
            self.tables.len() - 1
        });
        Ok(TableId(u32::try_from(index).expect("few tables")))
    }

    fn get(&self, table: TableId, key: &[u8], visit: &mut dyn FnMut(&[u8])) -> Result<bool> {
        let found = self.find(table, key);
        if let Some(index) = found {
            visit(&self.slots[index].value);
        }
        Ok(found.is_some())
    }

    fn put(&mut self, table: TableId, key: &[u8], value: &[u8]) -> Result<()> {
        let free = |slot: &Slot| !slot.live;
        let index = self.find(table, key).or_else(|| self.slots.iter().position(free));
        let index = index.unwrap_or_else(|| {
            let (key, value) = (Vec::with_capacity(64), Vec::with_capacity(64));
            self.slots.push(Slot { table, key, value, live: false });
            self.slots.len() - 1
        });
        let slot = &mut self.slots[index];
        (slot.table, slot.live) = (table, true);
        slot.key.clear();
        slot.key.extend_from_slice(key);
        slot.value.clear();
        slot.value.extend_from_slice(value);
        Ok(())
    }

    fn delete(&mut self, table: TableId, key: &[u8]) -> Result<()> {
        if let Some(index) = self.find(table, key) {
            self.slots[index].live = false;
        }
        Ok(())
    }

    fn scan(
        &self,
        table: TableId,
        range: KeyRange<'_>,
        direction: Direction,
    ) -> Result<Box<dyn Cursor + Send + '_>> {
        let within = |slot: &&Slot| slot.live && slot.table == table && range.contains(&slot.key);
        let mut rows: Vec<&Slot> = self.slots.iter().filter(within).collect();
        rows.sort_by(|a, b| match direction {
            // Taken from the end.
            Direction::Forward => b.key.cmp(&a.key),
            Direction::Reverse => a.key.cmp(&b.key),
        });
        Ok(Box::new(SlotCursor(rows)))
    }

    fn delete_range(&mut self, table: TableId, range: KeyRange<'_>) -> Result<()> {
        for slot in &mut self.slots {
            slot.live &= slot.table != table || !range.contains(&slot.key);
        }
        Ok(())
    }

    fn write(&mut self, batch: &WriteBatch) -> Result<()> {
        for op in batch.iter() {
            match op {
                WriteOp::Put { table, key, value } => self.put(table, key, value)?,
                WriteOp::Delete { table, key } => self.delete(table, key)?,
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }

    fn close(self: Box<Self>) -> Result<()> {
        Ok(())
    }
}

struct SlotCursor<'a>(Vec<&'a Slot>);

impl Cursor for SlotCursor<'_> {
    fn next(&mut self) -> Result<Option<(&[u8], &[u8])>> {
        Ok(self.0.pop().map(|slot| (slot.key.as_slice(), slot.value.as_slice())))
    }
}

fn open<K: keyed_state_core::StateKey>() -> EngineBackend<K, SlotEngine> {
    EngineBackend::open(SlotEngine::default(), BackendOptions::new()).expect("it is new")
}

#[test]
fn numbers_cost_no_allocation_at_all() {
    let mut backend = open::<u64>();
    let map = MapDescriptor::<u64, u64, u64>::new("map");
    let map = backend.register_map(&map).unwrap();
    let value = ValueDescriptor::<u64>::new("value").default_value(7);
    let value = backend.register_value(&value).unwrap();
    let round = |backend: &mut EngineBackend<u64, SlotEngine>| {
        for key in 0..4 {
            backend.set_current_key(&key).unwrap();
            for namespace in 0..2 {
                let mut map = backend.map_in(&map, &namespace).unwrap();
                map.put(1, key).unwrap();
                assert_eq!(map.get(&1).unwrap(), Some(key));
                assert!(map.contains(&1).unwrap());
                assert_eq!(map.get(&2).unwrap(), None);
                map.remove(&1).unwrap();
                assert!(!map.contains(&1).unwrap());
            }
            let mut value = backend.value(&value).unwrap();
            assert_eq!(value.get().unwrap(), Some(7));
            value.set(key).unwrap();
            assert_eq!(value.get().unwrap(), Some(key));
            assert!(value.is_set().unwrap());
            value.clear().unwrap();
        }
    };
    // Buffers grow to their size once.
    round(&mut backend);
    let counted = allocations(|| (0..100).for_each(|_| round(&mut backend)));
    assert_eq!(counted, 0, "in 100 rounds");
}

#[test]
fn texts_cost_their_own_allocations() {
    let mut backend = open::<String>();
    let id = backend.register_map(&MapDescriptor::<String, String>::new("map")).unwrap();
    let keys = ["alice".to_owned(), "bob".to_owned()];
    let round = |backend: &mut EngineBackend<String, SlotEngine>| {
        let mut counted = [0; 6];
        for key in &keys {
            counted[0] += allocations(|| backend.set_current_key(key).unwrap());
            let mut map = backend.map(&id).unwrap();
            let (user_key, text) = ("clicks".to_owned(), "many".to_owned());
            counted[1] += allocations(|| map.put(user_key, text).unwrap());
            counted[2] += allocations(|| assert_eq!(map.get("clicks").unwrap().unwrap(), "many"));
            counted[3] += allocations(|| assert!(map.contains("clicks").unwrap()));
            counted[4] += allocations(|| map.remove("clicks").unwrap());
            counted[5] += allocations(|| assert_eq!(map.get("clicks").unwrap(), None));
        }
        counted
    };
    round(&mut backend);
    // Two `get`s each return an owned text; nothing else allocates.
    assert_eq!(round(&mut backend), [0, 0, 2, 0, 0, 0]);
}

#[test]
fn batches_reuse_their_memory() {
    let mut backend = open::<u64>();
    let id = backend.register_map(&MapDescriptor::<u64, u64>::new("map")).unwrap();
    backend.set_current_key(&1).unwrap();
    let mut put_all = || backend.map(&id).unwrap().put_all((0..32).map(|n| (n, n))).unwrap();
    put_all();
    assert_eq!(allocations(put_all), 0);
}
