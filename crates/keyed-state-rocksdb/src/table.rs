use std::{fmt, sync::Arc};

use rocksdb::{BoundColumnFamily, DBWithThreadMode, MultiThreaded};

/// The mode of the `rocksdb` crate in which column families are handed out by counted reference.
pub(crate) type Database = DBWithThreadMode<MultiThreaded>;

/// A table of the engine: a column family and the handle to it.
///
/// The handle is kept: looking it up by name took 20 to 35 ns in a database of seven tables, which
/// is three per cent of a `get` whose block is in memory.
pub(crate) struct Table {
    name: String,
    handle: Arc<BoundColumnFamily<'static>>,
}

impl Table {
    /// Returns the table called `name`, or `None` if the database has no such column family.
    ///
    /// # Safety
    ///
    /// The table must be dropped before `db` is, and be used with no other database.
    #[expect(unsafe_code, reason = "a handle kept beside its database borrows from its sibling")]
    pub(crate) unsafe fn find(db: &Database, name: &str) -> Option<Self> {
        let handle = db.cf_handle(column_family(name))?;
        // SAFETY: only the lifetime changes. It ties the handle to the database, which stays alive
        // as long as the handle does: the caller promises it.
        let handle = unsafe {
            std::mem::transmute::<Arc<BoundColumnFamily<'_>>, Arc<BoundColumnFamily<'static>>>(
                handle,
            )
        };
        Some(Self { name: name.to_owned(), handle })
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn handle(&self) -> &Arc<BoundColumnFamily<'static>> {
        &self.handle
    }
}

impl fmt::Debug for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Table").field(&self.name).finish()
    }
}

/// The column family that every database has and that holds nothing here.
const RESERVED: &str = "default";

/// A character that no table's name has, before the one name that is taken.
const ESCAPED: &str = "=default";

/// Returns the column family of the table `name`.
pub(crate) fn column_family(name: &str) -> &str {
    if name == RESERVED { ESCAPED } else { name }
}

/// Returns the table in `column_family`, unless it is the one without a table.
pub(crate) fn table_name(column_family: &str) -> Option<&str> {
    match column_family {
        RESERVED => None,
        ESCAPED => Some(RESERVED),
        name => Some(name),
    }
}
