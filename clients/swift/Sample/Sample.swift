@main struct Sample { static func main() {} }
