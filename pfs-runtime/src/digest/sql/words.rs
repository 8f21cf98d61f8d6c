//! The words of MySQL 5.6's SQL: how each is spelled and how it is shown. Of several spellings of one token the server
//! shows the last of its list, which is why `DAY` is `SQL_TSI_DAY` and `USER` is `SYSTEM_USER` in a digest.

use super::super::Token;

/// Operators and punctuation, by their text.
#[rustfmt::skip]
const SIGNS: &[&str] = &[
    "&&", "<", "<=", "!=", "=", ">", ">=", "<<", ">>", "<=>", "|", ":=", "!", "+", "-", "*", "/", "%", "&", "^",
    "~", ".", ";", ":", "{", "}", "[", "]", "\\", "@", "(_charset)",
];

/// What is shown, of words that stand anywhere.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "ACCESSIBLE", "ACTION", "ADD", "AFTER", "AGAINST", "AGGREGATE", "ALGORITHM", "ALL", "ALTER", "ANALYSE",
    "ANALYZE", "AND", "AS", "ASC", "ASCII", "ASENSITIVE", "AT", "AUTOEXTEND_SIZE", "AUTO_INCREMENT", "AVG",
    "AVG_ROW_LENGTH", "BACKUP", "BEFORE", "BEGIN", "BETWEEN", "BINARY", "BINLOG", "BIT", "BLOB", "BLOCK", "BOOL",
    "BOOLEAN", "BOTH", "BTREE", "BY", "BYTE", "CACHE", "CALL", "CASCADE", "CASCADED", "CASE", "CATALOG_NAME",
    "CHAIN", "CHANGE", "CHANGED", "CHARACTER", "CHARSET", "CHECK", "CHECKSUM", "CIPHER", "CLASS_ORIGIN", "CLIENT",
    "CLOSE", "COALESCE", "CODE", "COLLATE", "COLLATION", "COLUMN", "COLUMN_FORMAT", "COLUMN_NAME", "COMMENT",
    "COMMIT", "COMMITTED", "COMPACT", "COMPLETION", "COMPRESSED", "CONCURRENT", "CONDITION", "CONNECTION",
    "CONSISTENT", "CONSTRAINT", "CONSTRAINT_CATALOG", "CONSTRAINT_NAME", "CONSTRAINT_SCHEMA", "CONTAINS", "CONTEXT",
    "CONTINUE", "CONVERT", "CPU", "CREATE", "CROSS", "CUBE", "CURRENT", "CURRENT_USER", "CURSOR", "CURSOR_NAME",
    "DATA", "DATAFILE", "DATE", "DATETIME", "DAY_HOUR", "DAY_MICROSECOND", "DAY_MINUTE", "DAY_SECOND", "DEALLOCATE",
    "DECIMAL", "DECLARE", "DEFAULT", "DEFAULT_AUTH", "DEFINER", "DELAYED", "DELAY_KEY_WRITE", "DELETE", "DESC",
    "DES_KEY_FILE", "DETERMINISTIC", "DIAGNOSTICS", "DIRECTORY", "DISABLE", "DISCARD", "DISK", "DISTINCTROW", "DIV",
    "DO", "DROP", "DUAL", "DUMPFILE", "DUPLICATE", "DYNAMIC", "EACH", "ELSE", "ELSEIF", "ENABLE", "ENCLOSED", "END",
    "ENDS", "ENGINE", "ENGINES", "ENUM", "ERROR", "ERRORS", "ESCAPE", "ESCAPED", "EVENT", "EVENTS", "EVERY",
    "EXCHANGE", "EXECUTE", "EXISTS", "EXIT", "EXPANSION", "EXPIRE", "EXPLAIN", "EXPORT", "EXTENDED", "EXTENT_SIZE",
    "FALSE", "FAST", "FAULTS", "FETCH", "FIELDS", "FILE", "FIRST", "FIXED", "FLOAT4", "FLOAT8", "FLUSH", "FOR",
    "FORCE", "FOREIGN", "FORMAT", "FOUND", "FROM", "FULL", "FULLTEXT", "FUNCTION", "GENERAL", "GEOMETRY",
    "GEOMETRYCOLLECTION", "GET", "GET_FORMAT", "GLOBAL", "GRANT", "GRANTS", "GROUP", "HANDLER", "HASH", "HAVING",
    "HELP", "HIGH_PRIORITY", "HOST", "HOSTS", "HOUR_MICROSECOND", "HOUR_MINUTE", "HOUR_SECOND", "IDENTIFIED", "IF",
    "IGNORE", "IGNORE_SERVER_IDS", "IMPORT", "IN", "INDEX", "INDEXES", "INFILE", "INITIAL_SIZE", "INNER", "INOUT",
    "INSENSITIVE", "INSERT", "INSERT_METHOD", "INSTALL", "INT8", "INTEGER", "INTERVAL", "INTO", "INVOKER", "IO",
    "IO_AFTER_GTIDS", "IO_BEFORE_GTIDS", "IPC", "IS", "ISOLATION", "ISSUER", "ITERATE", "JOIN", "KEY", "KEYS",
    "KEY_BLOCK_SIZE", "KILL", "LANGUAGE", "LAST", "LEADING", "LEAVE", "LEAVES", "LEFT", "LESS", "LEVEL", "LIKE",
    "LIMIT", "LINEAR", "LINES", "LINESTRING", "LIST", "LOAD", "LOCAL", "LOCK", "LOCKS", "LOGFILE", "LOGS", "LONG",
    "LONGBLOB", "LONGTEXT", "LOOP", "LOW_PRIORITY", "MASTER", "MASTER_AUTO_POSITION", "MASTER_BIND",
    "MASTER_CONNECT_RETRY", "MASTER_DELAY", "MASTER_HEARTBEAT_PERIOD", "MASTER_HOST", "MASTER_LOG_FILE",
    "MASTER_LOG_POS", "MASTER_PASSWORD", "MASTER_PORT", "MASTER_RETRY_COUNT", "MASTER_SERVER_ID", "MASTER_SSL",
    "MASTER_SSL_CA", "MASTER_SSL_CAPATH", "MASTER_SSL_CERT", "MASTER_SSL_CIPHER", "MASTER_SSL_CRL",
    "MASTER_SSL_CRLPATH", "MASTER_SSL_KEY", "MASTER_SSL_VERIFY_SERVER_CERT", "MASTER_USER", "MATCH", "MAXVALUE",
    "MAX_CONNECTIONS_PER_HOUR", "MAX_QUERIES_PER_HOUR", "MAX_ROWS", "MAX_SIZE", "MAX_UPDATES_PER_HOUR",
    "MAX_USER_CONNECTIONS", "MEDIUM", "MEDIUMBLOB", "MEDIUMTEXT", "MEMORY", "MERGE", "MESSAGE_TEXT", "MICROSECOND",
    "MIDDLEINT", "MIGRATE", "MINUTE_MICROSECOND", "MINUTE_SECOND", "MIN_ROWS", "MOD", "MODE", "MODIFIES", "MODIFY",
    "MULTILINESTRING", "MULTIPOINT", "MULTIPOLYGON", "MUTEX", "MYSQL_ERRNO", "NAME", "NAMES", "NATIONAL", "NATURAL",
    "NCHAR", "NDBCLUSTER", "NEW", "NEXT", "NO", "NODEGROUP", "NONE", "NOT", "NOW", "NO_WAIT", "NO_WRITE_TO_BINLOG",
    "NULL", "NUMBER", "NUMERIC", "NVARCHAR", "OFFSET", "OLD_PASSWORD", "ON", "ONE", "ONLY", "OPEN", "OPTIMIZE",
    "OPTION", "OPTIONALLY", "OPTIONS", "OR", "ORDER", "OUT", "OUTER", "OUTFILE", "OWNER", "PACK_KEYS", "PAGE",
    "PARSER", "PARTIAL", "PARTITION", "PARTITIONING", "PARTITIONS", "PASSWORD", "PHASE", "PLUGIN", "PLUGINS",
    "PLUGIN_DIR", "POINT", "POLYGON", "PORT", "PRECISION", "PREPARE", "PRESERVE", "PREV", "PRIMARY", "PRIVILEGES",
    "PROCEDURE", "PROCESS", "PROCESSLIST", "PROFILE", "PROFILES", "PROXY", "PURGE", "QUERY", "QUICK", "RANGE",
    "READ", "READS", "READ_ONLY", "READ_WRITE", "REAL", "REBUILD", "RECOVER", "REDOFILE", "REDO_BUFFER_SIZE",
    "REDUNDANT", "REFERENCES", "RELAY", "RELAYLOG", "RELAY_LOG_FILE", "RELAY_LOG_POS", "RELAY_THREAD", "RELEASE",
    "RELOAD", "REMOVE", "RENAME", "REORGANIZE", "REPAIR", "REPEAT", "REPEATABLE", "REPLACE", "REPLICATION",
    "REQUIRE", "RESET", "RESIGNAL", "RESTORE", "RESTRICT", "RESUME", "RETURN", "RETURNED_SQLSTATE", "RETURNS",
    "REVERSE", "REVOKE", "RIGHT", "RLIKE", "ROLLBACK", "ROLLUP", "ROUTINE", "ROW", "ROWS", "ROW_COUNT",
    "ROW_FORMAT", "RTREE", "SAVEPOINT", "SCHEDULE", "SCHEMA", "SCHEMAS", "SCHEMA_NAME", "SECOND_MICROSECOND",
    "SECURITY", "SELECT", "SENSITIVE", "SEPARATOR", "SERIAL", "SERIALIZABLE", "SERVER", "SESSION", "SET", "SHARE",
    "SHOW", "SHUTDOWN", "SIGNAL", "SIGNED", "SIMPLE", "SLAVE", "SLOW", "SMALLINT", "SNAPSHOT", "SOCKET", "SOME",
    "SONAME", "SOUNDS", "SOURCE", "SPATIAL", "SPECIFIC", "SQL", "SQLEXCEPTION", "SQLSTATE", "SQLWARNING",
    "SQL_AFTER_GTIDS", "SQL_AFTER_MTS_GAPS", "SQL_BEFORE_GTIDS", "SQL_BIG_RESULT", "SQL_BUFFER_RESULT", "SQL_CACHE",
    "SQL_CALC_FOUND_ROWS", "SQL_NO_CACHE", "SQL_SMALL_RESULT", "SQL_THREAD", "SQL_TSI_DAY", "SQL_TSI_HOUR",
    "SQL_TSI_MINUTE", "SQL_TSI_MONTH", "SQL_TSI_QUARTER", "SQL_TSI_SECOND", "SSL", "START", "STARTING", "STARTS",
    "STATS_AUTO_RECALC", "STATS_PERSISTENT", "STATS_SAMPLE_PAGES", "STATUS", "STOP", "STORAGE", "STRAIGHT_JOIN",
    "STRING", "SUBCLASS_ORIGIN", "SUBJECT", "SUBPARTITION", "SUBPARTITIONS", "SUPER", "SUSPEND", "SWAPS",
    "SWITCHES", "SYSTEM_USER", "TABLE", "TABLES", "TABLESPACE", "TABLE_CHECKSUM", "TABLE_NAME", "TEMPORARY",
    "TEMPTABLE", "TERMINATED", "TEXT", "THAN", "THEN", "TIME", "TIMESTAMP", "TIMESTAMPADD", "TIMESTAMPDIFF",
    "TINYBLOB", "TINYINT", "TINYTEXT", "TO", "TRAILING", "TRANSACTION", "TRIGGER", "TRIGGERS", "TRUE", "TRUNCATE",
    "TYPE", "TYPES", "UNCOMMITTED", "UNDEFINED", "UNDO", "UNDOFILE", "UNDO_BUFFER_SIZE", "UNICODE", "UNINSTALL",
    "UNION", "UNIQUE", "UNKNOWN", "UNLOCK", "UNSIGNED", "UNTIL", "UPDATE", "UPGRADE", "USAGE", "USE",
    "USER_RESOURCES", "USE_FRM", "USING", "UTC_DATE", "UTC_TIME", "UTC_TIMESTAMP", "VALUE", "VALUES", "VARBINARY",
    "VARCHARACTER", "VARIABLES", "VARYING", "VIEW", "WAIT", "WARNINGS", "WEEK", "WEIGHT_STRING", "WHEN", "WHERE",
    "WHILE", "WITH", "WORK", "WRAPPER", "WRITE", "X509", "XA", "XML", "XOR", "YEAR", "YEAR_MONTH", "ZEROFILL",
];

/// What is shown, of words that are names unless a `(` follows them at once.
#[rustfmt::skip]
const FUNCTIONS: &[&str] = &[
    "ADDDATE", "BIT_AND", "BIT_OR", "BIT_XOR", "CAST", "COUNT", "CURDATE", "CURTIME", "DATE_ADD", "DATE_SUB",
    "EXTRACT", "GROUP_CONCAT", "MAX", "MIN", "POSITION", "STDDEV_POP", "STDDEV_SAMP", "SUBDATE", "SUBSTRING", "SUM",
    "SYSDATE", "TRIM", "VAR_POP", "VAR_SAMP",
];

/// Other spellings that stand anywhere, each with what is shown.
#[rustfmt::skip]
const SPELLINGS: &[(&str, &str)] = &[
    ("ANY", "SOME"), ("BIGINT", "INT8"), ("CHAR", "CHARACTER"), ("COLUMNS", "FIELDS"), ("CURRENT_DATE", "CURDATE"),
    ("CURRENT_TIME", "CURTIME"), ("CURRENT_TIMESTAMP", "NOW"), ("DATABASE", "SCHEMA"), ("DATABASES", "SCHEMAS"),
    ("DAY", "SQL_TSI_DAY"), ("DEC", "DECIMAL"), ("DESCRIBE", "EXPLAIN"), ("DISTINCT", "DISTINCTROW"),
    ("DOUBLE", "FLOAT8"), ("FLOAT", "FLOAT4"), ("HOUR", "SQL_TSI_HOUR"), ("INT", "INTEGER"), ("INT1", "TINYINT"),
    ("INT2", "SMALLINT"), ("INT3", "MIDDLEINT"), ("INT4", "INTEGER"), ("IO_THREAD", "RELAY_THREAD"),
    ("LOCALTIME", "NOW"), ("LOCALTIMESTAMP", "NOW"), ("MEDIUMINT", "MIDDLEINT"), ("MINUTE", "SQL_TSI_MINUTE"),
    ("MONTH", "SQL_TSI_MONTH"), ("NDB", "NDBCLUSTER"), ("QUARTER", "SQL_TSI_QUARTER"), ("REGEXP", "RLIKE"),
    ("SECOND", "SQL_TSI_SECOND"), ("SQL_TSI_WEEK", "WEEK"), ("SQL_TSI_YEAR", "YEAR"), ("USER", "SYSTEM_USER"),
    ("VARCHAR", "VARCHARACTER"),
];

/// Spellings that are names unless a `(` follows them at once, each with what is shown; `NOW` and `SYSTEM_USER` are
/// shown of other words, too.
#[rustfmt::skip]
const FUNCTION_SPELLINGS: &[(&str, &str)] = &[
    ("MID", "SUBSTRING"), ("NOW", "NOW"), ("SESSION_USER", "SYSTEM_USER"), ("STD", "STDDEV_POP"),
    ("STDDEV", "STDDEV_POP"), ("SUBSTR", "SUBSTRING"), ("SYSTEM_USER", "SYSTEM_USER"), ("VARIANCE", "VAR_POP"),
];

/// Character sets that a literal can be introduced with, `_` before them.
#[rustfmt::skip]
const CHARACTER_SETS: &[&str] = &[
    "armscii8", "ascii", "big5", "binary", "cp1250", "cp1251", "cp1256", "cp1257", "cp850", "cp852", "cp866",
    "cp932", "dec8", "eucjpms", "euckr", "gb2312", "gbk", "geostd8", "greek", "hebrew", "hp8", "keybcs2", "koi8r",
    "koi8u", "latin1", "latin2", "latin5", "latin7", "macce", "macroman", "sjis", "swe7", "tis620", "ucs2", "ujis",
    "utf16", "utf16le", "utf32", "utf8", "utf8mb4",
];

const ALL: usize = SIGNS.len() + WORDS.len() + FUNCTIONS.len();

/// What a word is shown as.
pub(super) fn shown(number: usize) -> &'static str {
    let mut lists = [SIGNS, WORDS, FUNCTIONS].into_iter();
    let mut rest = number;
    loop {
        let Some(list) = lists.next() else { return "" };
        match list.get(rest) {
            Some(word) => return word,
            None => rest -= list.len(),
        }
    }
}

/// The token of what is shown like this, for constants.
pub(super) const fn token(shown: &str) -> Token {
    Token::word(number(shown))
}

const fn number(shown: &str) -> usize {
    let mut number = 0;
    while number < ALL {
        if equal(nth(number), shown) {
            return number;
        }
        number += 1;
    }
    panic!("there is no such word")
}

const fn nth(number: usize) -> &'static str {
    if number < SIGNS.len() {
        SIGNS[number]
    } else if number < SIGNS.len() + WORDS.len() {
        WORDS[number - SIGNS.len()]
    } else {
        FUNCTIONS[number - SIGNS.len() - WORDS.len()]
    }
}

const fn equal(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one.len() != other.len() {
        return false;
    }
    let mut at = 0;
    while at < one.len() {
        if one[at] != other[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// The longest spelling.
pub(super) const LONGEST: usize = 29;

/// What capital letters stand for.
#[derive(Clone, Copy)]
struct Spelling {
    letters: &'static str,
    word: u16,
    /// Only where a `(` follows.
    function: bool,
}

impl Spelling {
    const fn new(letters: &'static str, word: usize, function: bool) -> Self {
        assert!(letters.len() <= LONGEST, "the longest spelling is longer");
        #[expect(clippy::cast_possible_truncation, reason = "a word is a token, of 16 bits")]
        Self { letters, word: word as u16, function }
    }
}

const SPELLED: usize = WORDS.len() + FUNCTIONS.len() + SPELLINGS.len() + FUNCTION_SPELLINGS.len();

/// Every spelling, in the order of the lists.
static SPELLED_BY_ORDER: [Spelling; SPELLED] = {
    let mut all = [Spelling::new("", 0, false); SPELLED];
    let (mut next, mut at) = (0, 0);
    while next < WORDS.len() {
        // `NOW` and `SYSTEM_USER` are shown of other words and are words only as functions, where they stand below.
        if !equal(WORDS[next], "NOW") && !equal(WORDS[next], "SYSTEM_USER") {
            all[next] = Spelling::new(WORDS[next], SIGNS.len() + next, false);
        }
        next += 1;
    }
    while at < FUNCTIONS.len() {
        all[next] = Spelling::new(FUNCTIONS[at], SIGNS.len() + WORDS.len() + at, true);
        (next, at) = (next + 1, at + 1);
    }
    at = 0;
    while at < SPELLINGS.len() {
        all[next] = Spelling::new(SPELLINGS[at].0, number(SPELLINGS[at].1), false);
        (next, at) = (next + 1, at + 1);
    }
    at = 0;
    while at < FUNCTION_SPELLINGS.len() {
        all[next] = Spelling::new(FUNCTION_SPELLINGS[at].0, number(FUNCTION_SPELLINGS[at].1), true);
        (next, at) = (next + 1, at + 1);
    }
    all
};

const PLACES: usize = 2048;

/// Where which spelling stands, plus one; what finds its place taken stands in the next that is free.
static SPELLED_BY_HASH: [u16; PLACES] = {
    let mut places = [0_u16; PLACES];
    let mut at = 0;
    while at < SPELLED {
        let letters = SPELLED_BY_ORDER[at].letters;
        at += 1;
        if letters.is_empty() {
            continue;
        }
        let mut place = place(letters.as_bytes());
        while places[place] != 0 {
            let other = SPELLED_BY_ORDER[places[place] as usize - 1].letters;
            assert!(!equal(other, letters), "a spelling stands for one word");
            place = (place + 1) % PLACES;
        }
        #[expect(clippy::cast_possible_truncation, reason = "there are some hundreds")]
        let number = at as u16;
        places[place] = number;
    }
    places
};

/// Where a spelling would stand, if no other took the place.
const fn place(letters: &[u8]) -> usize {
    let (mut hash, mut at) = (0x811c_9dc5_u32, 0);
    while at < letters.len() {
        hash = (hash ^ letters[at] as u32).wrapping_mul(0x0100_0193);
        at += 1;
    }
    (hash ^ hash >> 15) as usize % PLACES
}

/// The word that capital letters spell, if they spell one here: before a `(` or elsewhere.
pub(super) fn spelled(letters: &[u8], before_parenthesis: bool) -> Option<Token> {
    let mut place = place(letters);
    loop {
        let spelling = &SPELLED_BY_ORDER[usize::from(SPELLED_BY_HASH[place].checked_sub(1)?)];
        if spelling.letters.as_bytes() == letters {
            let here = before_parenthesis || !spelling.function;
            return here.then(|| Token::word(spelling.word.into()));
        }
        place = (place + 1) % PLACES;
    }
}

/// Whether a name that begins with `_` introduces a literal of a character set.
pub(super) fn introduces(name: &[u8]) -> bool {
    let set = name.strip_prefix(b"_").unwrap_or_default();
    CHARACTER_SETS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(set))
}
