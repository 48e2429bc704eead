import Foundation
import Sync
import Testing

@Suite struct CursorTests {
    let codec = CursorCodec(current: .init(number: 2, secret: Array(repeating: 7, count: 32)))
    let cursor = Cursor(
        order: ViewOrder(epoch: 1, activation: 3 << 32 | 4, version: 12, asOf: 1_782_900_000_000),
        streamTag: 0xFEDC_BA98_7654_3210, nextChangeAt: 1_785_492_000_000)

    @Test func comesBackAsItWent() {
        #expect(codec.decode(codec.encode(cursor)) == cursor)
        var endless = cursor
        endless.nextChangeAt = nil
        #expect(codec.decode(codec.encode(endless)) == endless)
    }

    @Test func everyChangedCharacterIsNoticed() {
        let text = codec.encode(cursor)
        for index in text.indices {
            for replacement in ["A", "z", "!", ""] where String(text[index]) != replacement {
                let changed = text.replacingCharacters(in: index...index, with: replacement)
                #expect(codec.decode(changed) == nil, "changed at \(text.distance(from: text.startIndex, to: index))")
            }
        }
        #expect(codec.decode("") == nil)
        #expect(codec.decode(String(repeating: "A", count: 10_000)) == nil)
    }

    @Test func theFormerKeyStillCountsAndAForeignOneDoesNot() {
        let next = CursorCodec(
            current: .init(number: 3, secret: Array(repeating: 9, count: 32)),
            previous: .init(number: 2, secret: Array(repeating: 7, count: 32)))
        #expect(next.decode(codec.encode(cursor)) == cursor)
        let foreign = CursorCodec(current: .init(number: 2, secret: Array(repeating: 8, count: 32)))
        #expect(foreign.decode(codec.encode(cursor)) == nil)
        let without = CursorCodec(current: .init(number: 4, secret: Array(repeating: 7, count: 32)))
        #expect(without.decode(codec.encode(cursor)) == nil)
    }

    @Test func ordersAreCompared() {
        let order = cursor.order
        for keyPath: WritableKeyPath<ViewOrder, Int64> in [\.epoch, \.activation, \.version, \.asOf] {
            var later = order
            later[keyPath: keyPath] += 1
            #expect(order < later && !(later < order))
            #expect(later.isAhead(of: order) == (keyPath != \.asOf))
        }
    }
}
