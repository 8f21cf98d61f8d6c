//! A server of its own for each test, and a client that reads replies to the letter.
#![allow(dead_code, reason = "each test file is a program and uses what it needs")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

pub(crate) const KV: &str = env!("CARGO_BIN_EXE_kv");

/// A running `kv serve`, killed when dropped.
pub(crate) struct Server {
    process: Child,
    pub(crate) address: String,
    /// What it said when it was ready.
    pub(crate) greeting: String,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    pub(crate) fn in_dir(dir: &Path) -> Self {
        Self::with(&["--dir", dir.to_str().unwrap()])
    }

    pub(crate) fn with(arguments: &[&str]) -> Self {
        Self::with_env(arguments, &[])
    }

    /// With variables in its environment.
    pub(crate) fn with_env(arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(KV);
        command.args(["serve", "--port", "0"]).args(arguments).envs(variables.iter().copied());
        command.stdout(Stdio::piped());
        let mut process = command.spawn().unwrap();
        let mut greeting = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut greeting).unwrap();
        let address =
            greeting.strip_prefix("kv: listening on ").unwrap().split(',').next().unwrap().to_owned();
        Server { process, address, greeting }
    }

    pub(crate) fn client(&self) -> Client {
        Client::to(&self.address)
    }

    /// As a power cut would, but for what the system has not written.
    pub(crate) fn kill(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Sends a signal by name and returns the exit code.
    pub(crate) fn signal(mut self, signal: &str) -> Option<i32> {
        let sent =
            Command::new("kill").args(["-s", signal, &self.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
        self.process.wait().unwrap().code()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// A connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

impl Client {
    pub(crate) fn to(address: &str) -> Self {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.set_nodelay(true).unwrap();
        Client { stream: BufReader::new(stream) }
    }

    pub(crate) fn send(&mut self, bytes: &[u8]) {
        self.stream.get_mut().write_all(bytes).unwrap();
    }

    /// One reply: `+OK`, `-ERR …`, `:1`, `"text"`, `nil`, `[a, b]`.
    pub(crate) fn reply(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        let line = line.strip_suffix("\r\n").unwrap_or_else(|| panic!("not a whole line: {line:?}"));
        let (kind, rest) = line.split_at(1);
        match (kind, rest) {
            ("+" | "-" | ":", _) => line.to_owned(),
            ("$" | "*", "-1") => "nil".to_owned(),
            ("$", length) => {
                let mut bytes = vec![0; length.parse::<usize>().unwrap() + 2];
                self.stream.read_exact(&mut bytes).unwrap();
                assert!(bytes.ends_with(b"\r\n"));
                format!("{:?}", String::from_utf8_lossy(&bytes[..bytes.len() - 2]))
            }
            ("*", length) => {
                let elements: Vec<String> = (0..length.parse().unwrap()).map(|_| self.reply()).collect();
                format!("[{}]", elements.join(", "))
            }
            _ => panic!("not a reply: {line:?}"),
        }
    }

    /// Sends words as an array of bulk strings.
    pub(crate) fn ask<W: AsRef<[u8]>>(&mut self, words: impl IntoIterator<Item = W>) -> String {
        self.send(&request(words));
        self.reply()
    }

    /// Sends a line and returns its reply.
    pub(crate) fn say(&mut self, line: &str) -> String {
        self.ask(line.split(' '))
    }

    /// Everything until the server closes.
    pub(crate) fn rest(&mut self) -> String {
        let mut rest = Vec::new();
        self.stream.read_to_end(&mut rest).unwrap();
        String::from_utf8_lossy(&rest).into_owned()
    }

    /// The rows of a table.
    pub(crate) fn table(&mut self, name: &str) -> Vec<serde_json::Value> {
        let mut line = String::new();
        self.send(&request(["PFS", name]));
        self.stream.read_line(&mut line).unwrap();
        let length: usize = line.trim_end().strip_prefix('$').unwrap().parse().unwrap();
        let mut bytes = vec![0; length + 2];
        self.stream.read_exact(&mut bytes).unwrap();
        serde_json::from_slice(&bytes).unwrap()
    }

    /// Count and errors of a statement.
    pub(crate) fn statements(&mut self, name: &str) -> (u64, u64) {
        let rows = self.table("events_statements_summary_global_by_event_name");
        let event = format!("statement/kv/{name}");
        let Some(row) = rows.iter().find(|row| row["event_name"] == event.as_str()) else { return (0, 0) };
        (row["count_star"].as_u64().unwrap(), row["sum_errors"].as_u64().unwrap())
    }
}

pub(crate) fn request<W: AsRef<[u8]>>(words: impl IntoIterator<Item = W>) -> Vec<u8> {
    let words: Vec<W> = words.into_iter().collect();
    let mut bytes = format!("*{}\r\n", words.len()).into_bytes();
    for word in words {
        let word = word.as_ref();
        bytes.extend(format!("${}\r\n", word.len()).into_bytes());
        bytes.extend(word);
        bytes.extend(b"\r\n");
    }
    bytes
}
