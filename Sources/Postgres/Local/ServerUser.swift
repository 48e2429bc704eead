import Glibc

/// The user a private server runs as: ourselves, or an unprivileged one if we are root, since PostgreSQL refuses root.
struct ServerUser {
    let id: uid_t
    let group: gid_t
    /// Put before a command, to run it as this user.
    let prefix: [String]

    static func choose() throws(PostgresError) -> ServerUser {
        guard geteuid() == 0 else { return ServerUser(id: geteuid(), group: getegid(), prefix: []) }
        for name in ["postgres", "nobody"] {
            guard let entry = getpwnam(name) else { continue }
            let (id, group) = (entry.pointee.pw_uid, entry.pointee.pw_gid)
            if access("/usr/bin/setpriv", X_OK) == 0 {
                let arguments = ["--reuid=\(id)", "--regid=\(group)", "--clear-groups", "--"]
                return ServerUser(id: id, group: group, prefix: ["/usr/bin/setpriv"] + arguments)
            }
            for runuser in ["/usr/sbin/runuser", "/sbin/runuser"] where access(runuser, X_OK) == 0 {
                return ServerUser(id: id, group: group, prefix: [runuser, "-u", name, "--"])
            }
        }
        throw PostgresError(
            .localCluster,
            "PostgreSQL does not run as root, and no way was found to run it as postgres or nobody: install util-linux, "
                + "or start this program as an ordinary user")
    }

    func run(_ command: [String]) throws(PostgresError) -> LocalProcess {
        try LocalProcess.run(prefix + command)
    }

    /// Makes a directory that only this user (and root) can enter, or checks that an existing one is just that.
    func makePrivateDirectory(_ path: String) throws(PostgresError) {
        if mkdir(path, 0o700) == 0 {
            guard chown(path, id, group) == 0 else { throw failure("give \(path) to the server's user") }
            return
        }
        guard errno == EEXIST else { throw failure("make the directory \(path)") }
        var status = stat()
        // lstat: a link that somebody else put there must not be followed.
        guard lstat(path, &status) == 0 else { throw failure("read the directory \(path)") }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == id, status.st_mode & 0o077 == 0 else {
            throw PostgresError(
                .localCluster,
                "\(path) exists but is not a private directory of user \(id) (owner, mode 0700): choose another one")
        }
    }

    /// Throws if a directory above cannot be entered by this user.
    func checkReachable(_ path: String) throws(PostgresError) {
        let run = try run(["/bin/sh", "-c", "cd \"$1\"", "sh", path])
        guard run.status == 0 else {
            throw PostgresError(
                .localCluster,
                "the server's user (\(id)) cannot enter \(path): choose a directory whose parents others may enter, such as "
                    + "one in /var/lib or /tmp")
        }
    }

    private func failure(_ action: String) -> PostgresError {
        PostgresError(.localCluster, "cannot \(action): \(String(cString: strerror(errno)))")
    }
}
