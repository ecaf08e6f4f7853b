use serde_json::Value;

fn main() {
    println!("{}", Value::Null);
}
