//! A generic operator may hold an iterator across an `await` and be spawned on a runtime with many threads:
//! that is what iterators are opaque and `Send` for.

use keyed_state_conformance::reference::TreeEngine;
use keyed_state_core::{
    BackendOptions, Engine, EngineBackend, KeyedStateBackend, KeyedStateBackendExt, MapDescriptor,
    MapId, MapState, Result,
};
use keyed_state_memory::MemoryBackend;
use tokio::task::{JoinHandle, yield_now};

/// Adds up a map entry by entry, giving way in between, and stores the sum in it.
async fn add_up<B>(mut backend: B, id: MapId<String, u64>, key: String) -> Result<u64>
where
    B: KeyedStateBackend<Key = String>,
{
    backend.set_current_key(&key)?;
    let mut sum = 0;
    {
        let mut map = backend.map(&id)?;
        for entry in map.iter()? {
            sum += entry?.1;
            yield_now().await;
        }
        let mut backwards = map.iter()?.rev();
        yield_now().await;
        assert_eq!(backwards.next().transpose()?.map(|(key, _)| key), Some("9".to_owned()));
        drop(backwards);
        map.put("sum".to_owned(), sum)?;
        yield_now().await;
        assert_eq!(map.get("sum")?, Some(sum));
    }
    backend.close()?;
    Ok(sum)
}

fn spawn<B>(mut backend: B) -> Result<JoinHandle<Result<u64>>>
where
    B: KeyedStateBackend<Key = String> + 'static,
{
    let id = backend.register_map(&MapDescriptor::new("map"))?;
    backend.set_current_key(&"key".to_owned())?;
    backend.map(&id)?.put_all((0..10).map(|n| (n.to_string(), n)))?;
    Ok(tokio::spawn(add_up(backend, id, "key".to_owned())))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_iterator_may_be_held_across_an_await() {
    let options = BackendOptions::new();
    let engine = EngineBackend::open(TreeEngine::in_memory(), options.clone()).unwrap();
    let boxed: Box<dyn Engine> = Box::new(TreeEngine::in_memory());
    let boxed = EngineBackend::open(boxed, options.clone()).unwrap();
    let memory = MemoryBackend::open(options).unwrap();
    let tasks = [spawn(engine), spawn(boxed), spawn(memory)];
    for task in tasks {
        assert_eq!(task.unwrap().await.unwrap().unwrap(), 45);
    }
}
