import Entitlements
import Testing

@Suite("Files of operators")
struct JSONDocumentTests {
    private enum Colour: String, CaseIterable { case red, green }

    /// What the body throws, as people see it.
    private func complaint(_ text: String, _ body: (JSONNode) throws(DocumentError) -> Void) -> String? {
        do throws(DocumentError) {
            try body(JSONDocument(parsing: text, file: "f.json").root)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("A text that is no JSON")
    func notJSON() {
        let complaint = complaint("{\n  \"a\": 1,\n}") { _ in }
        #expect(
            complaint
                == "f.json:3:1: a member name in quotes was expected here; this file must be one JSON value in UTF-8")
    }

    @Test("An unknown key is named with those that are known")
    func unknownKey() {
        let complaint = complaint("{\"a\": 1,\n \"c\": 2}") { (node) throws(DocumentError) in
            _ = try node.fields(required: ["a"], optional: ["b"])
        }
        #expect(complaint == "f.json:2:7: at c: unknown key; known here: a, b")
    }

    @Test("A missing key is an error of the object around it")
    func missingKey() {
        let complaint = complaint("{\"list\": [\n {}, {}]}") { (node) throws(DocumentError) in
            let list = try node.fields(required: ["list"]).required("list")
            for element in try list.elements(limit: 5) { _ = try element.fields(required: ["a"]) }
        }
        #expect(complaint == "f.json:2:2: at list[0]: \"a\" is missing; add it")
    }

    @Test("A wrong kind, a number out of range, a word that is none")
    func values() {
        func first(_ text: String, _ read: (JSONNode) throws(DocumentError) -> Void) -> String? {
            complaint("{\"a\": \(text)}") { (node) throws(DocumentError) in
                try read(node.fields(required: ["a"]).required("a"))
            }
        }
        #expect(
            first("1") { (node) throws(DocumentError) in _ = try node.text() }
                == "f.json:1:7: at a: this is an integer, and must be a string")
        #expect(
            first("\"\"") { (node) throws(DocumentError) in _ = try node.text() }
                == "f.json:1:7: at a: this text has 0 bytes, and must have 1 to 1024")
        #expect(
            first("1.5") { (node) throws(DocumentError) in _ = try node.integer(in: 0...9) }
                == "f.json:1:7: at a: this is a number, and must be a whole number")
        #expect(
            first("10") { (node) throws(DocumentError) in _ = try node.integer(in: 0...9) }
                == "f.json:1:7: at a: 10 is not from 0 to 9")
        #expect(
            first("\"blue\"") { (node) throws(DocumentError) in _ = try node.word(Colour.self) }
                == "f.json:1:7: at a: \"blue\" is unknown; write one of \"red\", \"green\"")
        #expect(
            first("null") { (node) throws(DocumentError) in _ = try node.bool() }
                == "f.json:1:7: at a: this is null, and must be true or false")
        #expect(
            first("[1,2]") { (node) throws(DocumentError) in _ = try node.elements(limit: 1) }
                == "f.json:1:7: at a: 2 elements; at most 1 are taken")
    }

    @Test("The places of a long file are found in one walk")
    func longFile() throws {
        // Quadratic line counting would take minutes here.
        let lines = (0..<50_000).map { "{\"n\": \($0)}" }.joined(separator: ",\n")
        let root = try JSONDocument(parsing: "[\n\(lines)\n]", file: "long.json").root
        let last = try root.elements(limit: 50_000)[49_999]
        #expect(last.error(.invalidValue, "x").line == 50_001)
    }
}
