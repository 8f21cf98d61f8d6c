//! What does the digest of a statement cost, a byte? Beside it, looking at each byte once.

mod measure;

use pfs::digest::{Commands, Language, Sql, Tokens};
use std::hint::black_box;

const ROUNDS: usize = 21;
const STATEMENTS: u64 = 20_000;

static COMMANDS: Commands = Commands::new(&["CONFIG"]);

fn main() {
    measure::heading("ns a byte", "reading", "digest");
    let list = format!(
        "select * from t where id in ({})",
        (1..200).map(|id| id.to_string()).collect::<Vec<_>>().join(", ")
    );
    let cases: [(&str, &dyn Language, &str); 6] = [
        ("point query", &Sql, "SELECT c FROM sbtest1 WHERE id=5024"),
        (
            "join",
            &Sql,
            "SELECT o.id, o.total, c.name FROM shop.orders AS o JOIN shop.customers AS c ON c.id = o.customer_id \
             WHERE o.created >= '2026-01-01' AND o.state IN ('paid', 'sent') ORDER BY o.created DESC LIMIT 20",
        ),
        (
            "insert",
            &Sql,
            "INSERT INTO sbtest1 (id, k, c, pad) VALUES (0, 4993, '68487932199-96439406143-93774651418-41631865787', \
             '67847967377-48000963322-62604785301-91415491898-96926520291')",
        ),
        ("list of 200 numbers", &Sql, &list),
        ("command, a line", &COMMANDS, "SET user:000000017:name somebody"),
        (
            "command, a RESP array",
            &COMMANDS,
            "*3\r\n$3\r\nSET\r\n$19\r\nuser:000000017:name\r\n$8\r\nsomebody\r\n",
        ),
    ];
    let mut buffer = [0; 1024];
    for (name, language, statement) in cases {
        let bytes = statement.len() as u64 * STATEMENTS;
        let pair = measure::in_turns(
            ROUNDS,
            measure::least,
            || {
                measure::time(bytes, |_| {
                    for _ in 0..STATEMENTS {
                        let read = black_box(statement)
                            .bytes()
                            .fold(0_u64, |sum, byte| sum.rotate_left(5) ^ u64::from(byte));
                        black_box(read);
                    }
                })
            },
            || {
                measure::time(bytes, |_| {
                    for _ in 0..STATEMENTS {
                        let mut tokens = Tokens::new(&mut buffer);
                        black_box(language.tokens(black_box(statement.as_bytes()), &mut tokens));
                        black_box(tokens.bytes());
                    }
                })
            },
        );
        measure::line(&format!("{name}, {} bytes", statement.len()), pair);
    }
}
