//! What the digest of a statement shows equals what a MySQL 5.6.24 shows, of the statements in `data/digests.tsv` (and
//! their mistakes) and of those in `data/digests-of-every-kind.tsv`.

use pfs_runtime::digest::{Language, Sql, Tokens};

/// What that server keeps of a statement, in bytes of tokens.
const DIGEST_LENGTH: usize = 1024;

fn shown(statement: &str) -> Option<String> {
    let mut buffer = [0; DIGEST_LENGTH];
    let mut tokens = Tokens::new(&mut buffer);
    Sql.tokens(statement.as_bytes(), &mut tokens).then(|| tokens.text(&Sql).to_string())
}

fn unescaped(field: &str) -> String {
    let mut text = String::new();
    let mut characters = field.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                other => other.expect("a file's escape is whole"),
            },
            other => other,
        });
    }
    text
}

/// Statements that the server refuses before it has a digest. Here they have one, because nothing here knows the
/// grammar; what cannot be scanned has none here either.
const REFUSED_BY_GRAMMAR: [&str; 6] = [
    "select 1 except select 2",
    "with recursive cte (n) as (select 1 union all select n+1 from cte where n < 5) select * from cte",
    "select sum(a) over (order by id rows between 1 preceding and 2 following) from t",
    "select * frm t where x = 1",
    "select :param",
    "select x from (values (1,2),(3,4)) v",
];

/// The statements of a file, each with what the server shows.
fn rows(file: &str) -> impl Iterator<Item = (String, Option<String>)> {
    file.lines().skip(1).map(|line| {
        let mut fields = line.split('\t');
        let (statement, text) = (fields.next().unwrap(), fields.next().unwrap());
        (unescaped(statement), (text != "\\N").then(|| text.to_owned()))
    })
}

#[test]
fn a_statement_is_shown_as_the_server_shows_it() {
    let (mut equal, mut refused) = (0, 0);
    for (statement, expected) in rows(include_str!("data/digests.tsv")) {
        if REFUSED_BY_GRAMMAR.contains(&statement.as_str()) {
            assert_eq!(expected, None, "{statement}");
            refused += 1;
        } else {
            assert_eq!(shown(&statement), expected, "{statement}");
            equal += 1;
        }
    }
    assert_eq!((equal, refused), (106, 6));
}

#[test]
fn so_is_one_of_every_kind() {
    let mut differing = Vec::new();
    let mut equal = 0;
    for (statement, expected) in rows(include_str!("data/digests-of-every-kind.tsv")) {
        let shown = shown(&statement);
        if shown == expected { equal += 1 } else { differing.push((statement, shown, expected)) }
    }
    for (statement, shown, expected) in &differing {
        println!("{statement}\n  here   {shown:?}\n  server {expected:?}");
    }
    assert_eq!((equal, differing.len()), (289, 0));
}
