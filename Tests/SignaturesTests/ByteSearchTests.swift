import Signatures
import Testing

@Suite struct ByteSearchTests {
    @Test func bytes() {
        #expect(ByteSearch.firstIndex(of: 2, in: [1, 2, 3, 2]) == 1)
        #expect(ByteSearch.firstIndex(of: 2, in: [1, 2, 3, 2], from: 2) == 3)
        #expect(ByteSearch.firstIndex(of: 2, in: [1, 2, 3, 2], from: 4) == nil)
        #expect(ByteSearch.firstIndex(of: 9, in: [1, 2, 3]) == nil)
        #expect(ByteSearch.firstIndex(of: 9, in: []) == nil)
    }

    @Test func parts() {
        #expect(ByteSearch.firstIndex(of: [2, 3], in: [1, 2, 2, 3]) == 2)
        #expect(ByteSearch.firstIndex(of: [1, 2, 2, 3, 4], in: [1, 2, 2, 3]) == nil)
        #expect(ByteSearch.firstIndex(of: [], in: [1]) == nil)
        #expect(ByteSearch.firstIndex(of: [1], in: []) == nil)
    }
}
