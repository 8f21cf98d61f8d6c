//! Which of the numbered databases: every key is in one, and a connection has one selected.

/// One of the databases of a server.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Database(u8);

/// What clients and the schema call them.
const NAMES: [&str; Database::COUNT] = [
    "db0", "db1", "db2", "db3", "db4", "db5", "db6", "db7", "db8", "db9", "db10", "db11", "db12", "db13",
    "db14", "db15",
];

impl Database {
    /// As many as clients of the protocol expect.
    pub(crate) const COUNT: usize = 16;
    /// The one that a connection begins with.
    pub(crate) const FIRST: Database = Database(0);

    /// The database of that number, if there is one.
    pub(crate) fn numbered(number: impl TryInto<u8>) -> Option<Database> {
        number.try_into().ok().filter(|&number| usize::from(number) < Self::COUNT).map(Database)
    }

    pub(crate) fn number(self) -> u8 {
        self.0
    }

    pub(crate) fn name(self) -> &'static str {
        NAMES[usize::from(self.0)]
    }

    pub(crate) fn all() -> impl Iterator<Item = Database> {
        (0..Self::COUNT).filter_map(Self::numbered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_by_their_numbers() {
        let named = |number: i64| Database::numbered(number).map(Database::name);
        assert_eq!(
            [-1, 0, 9, 15, 16, 256].map(named),
            [None, Some("db0"), Some("db9"), Some("db15"), None, None]
        );
        assert_eq!(Database::all().count(), 16);
        assert_eq!(Database::all().next(), Some(Database::FIRST));
        for database in Database::all() {
            assert_eq!(database.name(), format!("db{}", database.number()));
        }
    }
}
