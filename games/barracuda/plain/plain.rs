//! Speaks the protocol of Barracuda without a kit, and knows the server by its name: plays its highest card, and rejects every
//! challenge.

use std::io::{self, Read, Write};
use std::net::TcpStream;

fn number_after<'a>(message: &'a str, key: &str) -> &'a str {
    let rest = message.split(key).nth(1).unwrap_or("");
    rest.split(|sign: char| !sign.is_ascii_digit()).next().unwrap_or("")
}

fn main() -> io::Result<()> {
    let mut server = TcpStream::connect("cuda.contest:19999")?;
    server.set_nodelay(true)?;
    let mut header = [0; 4];
    while server.read_exact(&mut header).is_ok() {
        let mut body = vec![0; u32::from_be_bytes(header) as usize];
        server.read_exact(&mut body)?;
        let message = String::from_utf8_lossy(&body);
        if !message.contains(r#""type":"request""#) {
            continue;
        }
        let response = if message.contains("request_card") {
            format!(r#""play_card","card":{}"#, number_after(&message, r#""hand":["#))
        } else {
            r#""reject_challenge""#.to_string()
        };
        let number = number_after(&message, r#""request_id":"#);
        let body = format!(r#"{{"type":"move","request_id":{number},"response":{{"type":{response}}}}}"#);
        let mut data = (body.len() as u32).to_be_bytes().to_vec();
        data.extend(body.bytes());
        server.write_all(&data)?;
    }
    Ok(())
}
