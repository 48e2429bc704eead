import CLibcurl
import Foundation

/// One request and what has come of its answer.
final class Transfer {
    /// libcurl's handle. Owned; freed in `deinit`, after it left the set.
    let easy: UnsafeMutableRawPointer
    private var ownedHeaders: UnsafeMutablePointer<curl_slist>?
    private let answerLimit: Int
    private var body: [UInt8] = []
    private var headLength = 0
    /// The empty line after the last head has come: libcurl takes an answer that is cut before it for a whole one.
    private var isHeadComplete = false
    private var isTooLong = false

    private static let headLimit = 64 << 10

    init(_ request: WebRequest, _ configuration: WebClient.Configuration) throws(WebError) {
        guard let easy = curl_easy_init() else {
            throw WebError(.resourcesExhausted, "libcurl has no memory for a request")
        }
        self.easy = easy
        answerLimit = request.answerLimit
        let codes = setWay(request, configuration) + setContent(request)
        guard codes.allSatisfy({ $0 == CURLE_OK }) else {
            throw WebError(.invalidRequest, "libcurl does not take the request's address, proxy or body")
        }
    }

    deinit {
        curl_easy_cleanup(easy)
        curl_slist_free_all(ownedHeaders)
    }

    private func setWay(_ request: WebRequest, _ configuration: WebClient.Configuration) -> [CURLcode] {
        let context = Unmanaged.passUnretained(self).toOpaque()
        var codes = [
            CLibcurl_set_receivers(easy, receiveHead, receiveBody, context),
            CLibcurl_set_text(easy, CURLOPT_URL, request.url),
            CLibcurl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https"),
            CLibcurl_set_number(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            CLibcurl_set_number(easy, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            CLibcurl_set_number(easy, CURLOPT_TIMEOUT_MS, max(1, Int(clamping: request.timeout.milliseconds))),
            CLibcurl_set_number(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1),
            // Signals belong to the process, not to a library's thread.
            CLibcurl_set_number(easy, CURLOPT_NOSIGNAL, 1),
        ]
        if let roots = configuration.rootsFile {
            codes.append(CLibcurl_set_text(easy, CURLOPT_CAINFO, roots))
            codes.append(CLibcurl_set_text(easy, CURLOPT_CAPATH, nil))
        }
        // A proxy would look for 127.0.0.1 on itself.
        let host = URLComponents(string: request.url)?.host?.lowercased() ?? ""
        if ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host) {
            codes.append(CLibcurl_set_text(easy, CURLOPT_PROXY, ""))
        } else if let proxy = configuration.proxy {
            codes.append(CLibcurl_set_text(easy, CURLOPT_PROXY, proxy))
        }
        return codes
    }

    private func setContent(_ request: WebRequest) -> [CURLcode] {
        var codes: [CURLcode] = []
        if request.method == "HEAD" {
            codes.append(CLibcurl_set_number(easy, CURLOPT_NOBODY, 1))
        } else {
            if let body = request.body {
                codes.append(CLibcurl_set_number(easy, CURLOPT_POST, 1))
                codes.append(body.withUnsafeBytes { CLibcurl_set_body(easy, $0.baseAddress, curl_off_t($0.count)) })
            }
            codes.append(CLibcurl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method))
        }
        // Without a value the first two are not sent: a body has the type that the caller names, and is sent at once.
        var lines = ["Content-Type:", "Expect:"].filter { line in
            !request.headers.keys.contains { line.lowercased() == "\($0.lowercased()):" }
        }
        lines += request.headers.map { $1.isEmpty ? "\($0);" : "\($0): \($1)" }
        for line in lines {
            guard let list = curl_slist_append(ownedHeaders, line) else { return [CURLE_OUT_OF_MEMORY] }
            ownedHeaders = list
        }
        return codes + [CLibcurl_set_headers(easy, ownedHeaders)]
    }

    /// Takes a line of a head. False ends the transfer.
    fileprivate func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
        headLength += line.count
        isTooLong = isTooLong || headLength > Self.headLimit
        // Trailers come this way as well, and change nothing.
        if line.starts(with: "HTTP/".utf8) { isHeadComplete = false }
        if line.elementsEqual("\r\n".utf8) || line.elementsEqual("\n".utf8) { isHeadComplete = true }
        return !isTooLong
    }

    /// Takes a piece of the body. False ends the transfer.
    fileprivate func takeBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        isTooLong = isTooLong || body.count + bytes.count > answerLimit
        if !isTooLong { body += bytes }
        return !isTooLong
    }

    /// What it came to, once libcurl is done with it.
    func result(of code: CURLcode) -> Result<WebResponse, WebError> {
        if isTooLong { return .failure(WebError(.answerTooLong, "the answer is longer than it may be")) }
        guard code == CURLE_OK else { return .failure(WebError(code)) }
        guard isHeadComplete else { return .failure(WebError(.brokenAnswer, "the answer was cut off")) }
        return .success(WebResponse(status: CLibcurl_status(easy), headers: headers, body: body))
    }

    /// Those of the last answer: not of a word before it, and no trailers.
    private var headers: [String: String] {
        var headers: [String: String] = [:]
        var last: UnsafeMutablePointer<curl_header>?
        while let header = curl_easy_nextheader(easy, UInt32(CURLH_HEADER), -1, last) {
            last = header
            let name = String(cString: header.pointee.name).lowercased()
            let value = String(cString: header.pointee.value)
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
        return headers
    }
}

/// The context is the transfer, which outlives libcurl's use of it.
private let receiveHead: CLibcurl_receiver = { bytes, size, count, context in
    receive(bytes, size * count, context) { $0.takeHead($1) }
}

private let receiveBody: CLibcurl_receiver = { bytes, size, count, context in
    receive(bytes, size * count, context) { $0.takeBody($1) }
}

/// An error's number ends the transfer.
private func receive(
    _ bytes: UnsafeMutablePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (Transfer, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    return take(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : Int(CURL_WRITEFUNC_ERROR)
}

extension Duration {
    /// Whole milliseconds, rounded down.
    fileprivate var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        let (whole, isTooMuch) = seconds.multipliedReportingOverflow(by: 1000)
        return isTooMuch ? .max : whole + attoseconds / 1_000_000_000_000_000
    }
}
