//! Generates the implementations of `Wire`.

use protox::prost_reflect::prost_types::field_descriptor_proto::{Label, Type};
use protox::prost_reflect::prost_types::{DescriptorProto, FieldDescriptorProto};

/// How a field is written and read.
enum Kind {
    /// A packed column of floats; the function that reads it.
    Fixed(&'static str),
    /// A packed column of integers or truth values.
    Varying,
    /// A nested message with columns.
    Nested,
    /// Anything else; prost's module that writes it.
    Other(&'static str),
}

fn name_of(field: &FieldDescriptorProto) -> &str {
    field.type_name().rsplit('.').next().unwrap_or_default()
}

fn is_list(field: &FieldDescriptorProto) -> bool {
    field.label() == Label::Repeated
}

#[allow(clippy::panic, reason = "it stops the build")]
fn kind(field: &FieldDescriptorProto, with_columns: &[&str]) -> Kind {
    match field.r#type() {
        Type::Message if !is_list(field) && with_columns.contains(&name_of(field)) => Kind::Nested,
        Type::Double if is_list(field) => Kind::Fixed("read_doubles"),
        Type::Float if is_list(field) => Kind::Fixed("read_floats"),
        Type::Uint32 | Type::Uint64 | Type::Int32 | Type::Enum | Type::Bool if is_list(field) => {
            Kind::Varying
        }
        Type::Message => Kind::Other("message"),
        Type::String => Kind::Other("string"),
        Type::Bytes => Kind::Other("bytes"),
        Type::Double => Kind::Other("double"),
        Type::Float => Kind::Other("float"),
        Type::Uint32 => Kind::Other("uint32"),
        Type::Uint64 => Kind::Other("uint64"),
        Type::Int32 | Type::Enum => Kind::Other("int32"),
        Type::Fixed64 => Kind::Other("fixed64"),
        Type::Bool => Kind::Other("bool"),
        other => panic!("{}: {other:?} has no rule here: add one", field.name()),
    }
}

/// The messages that have columns, or nested messages with columns.
fn with_columns<'a>(messages: &[&'a DescriptorProto]) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    loop {
        let has = |message: &&&DescriptorProto| {
            let is_column = |field| !matches!(kind(field, &found), Kind::Other(_));
            // The compiler makes a group for each optional field, too.
            let is_choice =
                |of: &FieldDescriptorProto| of.oneof_index.is_some() && !of.proto3_optional();
            message.field.iter().any(is_column) && !message.field.iter().any(is_choice)
        };
        let next: Vec<&str> = messages.iter().filter(has).map(|message| message.name()).collect();
        if next.len() == found.len() {
            return found;
        }
        found = next;
    }
}

/// The implementations for all messages. The protocol has no nested types, so names are the same
/// in Rust.
pub(crate) fn impls(messages: &[&DescriptorProto]) -> String {
    let with_columns = with_columns(messages);
    let one = |message: &&DescriptorProto| {
        let name = message.name();
        if with_columns.contains(&name) {
            format!("impl Wire for v1::{name} {{ {} }}\n", body(message, &with_columns))
        } else {
            format!("impl Wire for v1::{name} {{}}\n")
        }
    };
    messages.iter().map(one).collect()
}

/// What measures, writes and reads a field.
fn parts(field: &FieldDescriptorProto, with_columns: &[&str]) -> [String; 3] {
    let (name, number) = (field.name(), field.number());
    let module = match kind(field, with_columns) {
        Kind::Fixed(reader) => {
            return [
                format!("+ fixed_len({number}, &self.{name})"),
                format!("put_fixed({number}, &self.{name}, out);"),
                format!("{number} => {reader}(&mut self.{name}, content),"),
            ];
        }
        Kind::Varying => {
            return [
                format!("+ varying_len({number}, &self.{name}, lengths)"),
                format!("put_varying({number}, &self.{name}, lengths, out);"),
                format!("{number} => read_varying(&mut self.{name}, content),"),
            ];
        }
        Kind::Nested => {
            let place = format!("self.{name}.get_or_insert_default()");
            return [
                format!("+ nested_len({number}, self.{name}.as_ref(), lengths)"),
                format!("put_nested({number}, self.{name}.as_ref(), lengths, out);"),
                format!("{number} => {{ read({place}, content)?; true }}"),
            ];
        }
        Kind::Other(module) => module,
    };
    if is_list(field) {
        return [
            format!("+ {module}::encoded_len_repeated({number}, &self.{name})"),
            format!("{module}::encode_repeated({number}, &self.{name}, out);"),
            String::new(),
        ];
    }
    let when = if field.proto3_optional() || field.r#type() == Type::Message {
        format!("if let Some(value) = &self.{name}")
    } else {
        format!("if let Some(value) = given(&self.{name})")
    };
    [
        format!("+ {when} {{ {module}::encoded_len({number}, value) }} else {{ 0 }}"),
        format!("{when} {{ {module}::encode({number}, value, out); }}"),
        String::new(),
    ]
}

/// The functions of a message with columns.
fn body(message: &DescriptorProto, with_columns: &[&str]) -> String {
    let mut fields: Vec<_> = message.field.iter().collect();
    // As prost does.
    fields.sort_by_key(|field| field.number());
    let parts: Vec<_> = fields.into_iter().map(|field| parts(field, with_columns)).collect();
    let [measure, write, read] =
        [0, 1, 2].map(|part| parts.iter().map(|of| of[part].as_str()).collect::<String>());
    format!(
        "fn measure(&self, lengths: &mut Lengths) -> usize {{ 0 {measure} }}
        fn write(&self, lengths: &mut Lengths, out: &mut impl BufMut) {{ {write} }}
        fn column(&mut self, number: u32, content: &[u8]) -> Result<bool, DecodeError> {{
            Ok(match number {{ {read} _ => false }})
        }}"
    )
}
