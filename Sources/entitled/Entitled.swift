@main struct Entitled { static func main() {} }
