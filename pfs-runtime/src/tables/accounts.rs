//! `accounts`: the accounts, each a user and a host that connected, with their connections.

use crate::schema::Schema;
use crate::stat::Level;

use super::keys::actors;
use super::{Ops, Row, Scan, Table, TableError};

/// The table `accounts`.
#[derive(Debug)]
pub enum Accounts {}

/// One account.
#[derive(Clone, Debug, PartialEq, Eq, Row)]
pub struct AccountsRow {
    /// The user; NULL for what is in the background, or has not said yet.
    #[row(key, char = 32)]
    pub user: Option<String>,
    /// The host; NULL for what is in the background, or has not said yet.
    #[row(key, char = 255)]
    pub host: Option<String>,
    /// Sessions and threads that live.
    pub current_connections: i64,
    /// Those, and the ones that ended.
    pub total_connections: i64,
    /// Not used.
    #[row(unit = bytes)]
    pub max_session_controlled_memory: u64,
    /// Not used.
    #[row(unit = bytes)]
    pub max_session_total_memory: u64,
}

impl Table for Accounts {
    const NAME: &'static str = "accounts";
    const DOC: &'static str = "The accounts, each a user and a host that connected. Threads that are nobody's count in the row whose \
        names are NULL. TRUNCATE removes those without a connection and forgets the ended connections of the \
        others; the summaries by account and below start again.";
    const OPS: Ops = Ops::TRUNCATE;
    type Row = AccountsRow;

    fn rows<'s>(schema: &'s Schema, scan: &Scan<'_>) -> impl Iterator<Item = Self::Row> + use<'s> {
        actors::<Self::Row>(schema, scan, Level::Account).filter_map(|found| {
            let [current_connections, total_connections] = found.connections();
            let row = AccountsRow {
                user: found.user.clone(),
                host: found.host.clone(),
                current_connections,
                total_connections,
                max_session_controlled_memory: 0,
                max_session_total_memory: 0,
            };
            found.same_life(Some(row))
        })
    }

    fn truncate(schema: &Schema) -> Result<(), TableError> {
        schema.truncate_actors(Level::Account);
        Ok(())
    }
}
