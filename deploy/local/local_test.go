package local_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/deploy/local"
)

// holdEnv makes this binary start services in the directory it names, say so, and wait to be
// killed.
const holdEnv = "ROWHOUSE_LOCAL_TEST_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdEnv); dir != "" {
		if _, err := local.Start(context.Background(), dir, local.Options{Durable: true}); err != nil {
			fmt.Println("failed:", err)
			os.Exit(1)
		}
		fmt.Println("started")
		select {}
	}
	os.Exit(m.Run())
}

func TestRestartKeepsDataAndAddresses(t *testing.T) {
	t.Parallel()
	dir := reachable(t)
	first := start(t, dir, true)
	query(t, first, "create table kept (n int); insert into kept values (41)")
	command(t, first, "SET kept yes", "+OK")
	if err := first.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := start(t, dir, true)
	if got := query(t, second, "select n + 1 from kept"); got != "42" {
		t.Errorf("PostgreSQL forgot: %q", got)
	}
	command(t, second, "GET kept", "yes")
	if first.AdminURL != second.AdminURL || first.RedisURL != second.RedisURL {
		t.Errorf("addresses moved: %s %s, then %s %s", first.AdminURL, first.RedisURL, second.AdminURL, second.RedisURL)
	}
}

func TestProcessesOfPostgreSQLHaveALimitOfMemory(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux bounds the address space")
	}
	s := start(t, reachable(t), false)
	out, err := psql(t, s.AdminURL, "select length(repeat('x', 1000000000))")
	if err == nil || !strings.Contains(out, "out of memory") {
		t.Errorf("a text of 1 GB: %v %s", err, out)
	}
	if got := query(t, s, "select length(repeat('x', 100000000))"); got != "100000000" {
		t.Errorf("after that, a text of 100 MB has %s characters", got)
	}
}

func TestPasswordIsRequired(t *testing.T) {
	t.Parallel()
	s := start(t, reachable(t), false)
	u := parse(t, s.AdminURL)
	u.User = url.UserPassword("postgres", "guess")
	out, err := psql(t, u.String(), "select 1")
	if err == nil || !strings.Contains(out, "password authentication failed") {
		t.Errorf("PostgreSQL let a wrong password in: %v %s", err, out)
	}
	conn := dial(t, parse(t, s.RedisURL).Host)
	if got := ask(t, conn, "PING"); !strings.HasPrefix(got, "-NOAUTH") {
		t.Errorf("Redis answered without a password: %q", got)
	}
}

func TestDirectoryIsLocked(t *testing.T) {
	t.Parallel()
	dir := reachable(t)
	start(t, dir, false)
	_, err := local.Start(t.Context(), dir, local.Options{})
	if err == nil || !strings.Contains(err.Error(), "stop it first") {
		t.Errorf("a second start in the same directory: %v", err)
	}
}

func TestPortInUseIsReplaced(t *testing.T) {
	t.Parallel()
	dir := reachable(t)
	first := start(t, dir, true)
	if err := first.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{first.AdminURL, first.RedisURL} {
		l, err := net.Listen("tcp", parse(t, address).Host)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
	}
	second := start(t, dir, true)
	if first.AdminURL == second.AdminURL || first.RedisURL == second.RedisURL {
		t.Errorf("started on a port that was taken: %s %s", second.AdminURL, second.RedisURL)
	}
	query(t, second, "select 1")
}

func TestServicesStopWithKilledProcess(t *testing.T) {
	t.Parallel()
	dir := reachable(t)
	holder := hold(t, dir)
	postgres := postmaster(t, dir)
	if err := holder.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = holder.Wait()
	// At once, while the old server may still be writing.
	query(t, start(t, dir, true), "select 1")
	if now := postmaster(t, dir); now == postgres || alive(postgres) {
		t.Errorf("PostgreSQL %d outlived its parent (now %d)", postgres, now)
	}
}

func TestKilledPostgreSQLIsReported(t *testing.T) {
	t.Parallel()
	dir := reachable(t)
	s := start(t, dir, true)
	query(t, s, "create table kept as select 7 n")
	// One of its processes is slow to notice.
	slow, err := strconv.Atoi(query(t, s, "select pid from pg_stat_activity where backend_type = 'checkpointer'"))
	if err != nil {
		t.Fatal(err)
	}
	signal := func(pid int, signal syscall.Signal) {
		if err := syscall.Kill(pid, signal); err != nil {
			t.Error(err)
		}
	}
	signal(slow, syscall.SIGSTOP)
	signal(postmaster(t, dir), syscall.SIGKILL)
	select {
	case err := <-s.Failed():
		if !strings.Contains(err.Error(), "PostgreSQL ended unexpectedly: signal: killed") {
			t.Error(err)
		}
	case <-time.After(time.Minute):
		t.Fatal("nobody said that PostgreSQL is gone")
	}
	if err := s.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(time.Second, func() { signal(slow, syscall.SIGCONT) })
	if got := query(t, start(t, dir, true), "select n from kept"); got != "7" {
		t.Errorf("the table is gone: %q", got)
	}
}

func TestStalePidFileIsIgnored(t *testing.T) {
	t.Parallel()
	dir := reachable(t)
	if err := start(t, dir, true).Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	pidFile := filepath.Join(dir, "data", "postgres", "postmaster.pid")
	stranger := fmt.Sprintf("%d\n%s\n", os.Getpid(), dir)
	if err := os.WriteFile(pidFile, []byte(stranger), 0o600); err != nil {
		t.Fatal(err)
	}
	query(t, start(t, dir, true), "select 1")
}

func TestNonDurableServicesStartEmpty(t *testing.T) {
	t.Parallel()
	dir := reachable(t)
	first := start(t, dir, false)
	query(t, first, "create table left_over (n int)")
	command(t, first, "SET left over", "+OK")
	if err := first.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	second := start(t, dir, false)
	if got := query(t, second, "select count(*) from pg_class where relname = 'left_over'"); got != "0" {
		t.Errorf("there are %s tables of the test before", got)
	}
	command(t, second, "GET left", "$-1")
}

func TestBrokenDurableDataIsKept(t *testing.T) {
	t.Parallel()
	dir := reachable(t)
	if err := start(t, dir, true).Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	control := filepath.Join(dir, "data", "postgres", "global", "pg_control")
	if err := os.Rename(control, control+".away"); err != nil {
		t.Fatal(err)
	}
	_, err := local.Start(t.Context(), dir, local.Options{Durable: true})
	if err == nil || !strings.Contains(err.Error(), "pg_control") {
		t.Fatalf("want PostgreSQL's own words, got: %v", err)
	}
	if err := os.Rename(control+".away", control); err != nil {
		t.Fatal(err)
	}
	query(t, start(t, dir, true), "select 1")
}

func TestRootUsesDirectoryOfUnprivilegedAccount(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root lends the services another account")
	}
	private := reachable(t)
	if err := os.Chmod(private, 0o700); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(private, "clone")
	var said strings.Builder
	s, err := local.Start(t.Context(), dir, local.Options{Progress: &said})
	if err != nil {
		t.Fatal(err)
	}
	outside, err := os.Readlink(filepath.Join(dir, "data"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(outside) })
	t.Cleanup(func() { _ = s.Stop(context.Background()) })
	if !strings.Contains(said.String(), outside) {
		t.Errorf("the new place %s was not said: %q", outside, said.String())
	}
	query(t, s, "select 1")
	info, err := os.Stat("/proc/" + strconv.Itoa(postmaster(t, dir)))
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t).Uid; owner == 0 {
		t.Error("PostgreSQL runs as root")
	}
}

func start(t *testing.T, dir string, durable bool) *local.Services {
	t.Helper()
	s, err := local.Start(t.Context(), dir, local.Options{Durable: durable})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return s
}

// hold starts services in a process of their own, for a test to kill.
func hold(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), holdEnv+"="+dir)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || line != "started\n" {
		t.Fatalf("the other process: %q %v", line, err)
	}
	return cmd
}

// reachable is a directory that any account passes through; t.TempDir is for its owner only.
func reachable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "rowhouse-local-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil {
		t.Fatal(err)
	}
	return dir
}

func postmaster(t *testing.T, dir string) int {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, "data", "postgres", "postmaster.pid"))
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(b), "\n")
	pid, err := strconv.Atoi(line)
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// alive is false for a zombie, because only the machine decides when a dead orphan is reaped.
func alive(pid int) bool {
	_, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	return err == nil
}

func parse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func query(t *testing.T, s *local.Services, sql string) string {
	t.Helper()
	out, err := psql(t, s.AdminURL, sql)
	if err != nil {
		t.Fatalf("%s: %v\n%s", sql, err, out)
	}
	return out
}

func psql(t *testing.T, address, sql string) (string, error) {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "psql", "-XAtqc", sql, address).CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// command sends one command to Redis and wants the reply's last line.
func command(t *testing.T, s *local.Services, line, want string) {
	t.Helper()
	u := parse(t, s.RedisURL)
	conn := dial(t, u.Host)
	password, _ := u.User.Password()
	if got := ask(t, conn, "AUTH "+password); got != "+OK" {
		t.Fatalf("AUTH: %q", got)
	}
	got := ask(t, conn, line)
	if strings.HasPrefix(got, "$") && got != "$-1" {
		got = ask(t, conn, "")
	}
	if got != want {
		t.Errorf("%s: %q, want %q", line, got, want)
	}
}

func dial(t *testing.T, host string) *bufio.ReadWriter {
	t.Helper()
	conn, err := net.Dial("tcp", host)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return bufio.NewReadWriter(bufio.NewReader(conn), bufio.NewWriter(conn))
}

func ask(t *testing.T, conn *bufio.ReadWriter, line string) string {
	t.Helper()
	if line != "" {
		if _, err := conn.WriteString(line + "\r\n"); err != nil {
			t.Fatal(err)
		}
		if err := conn.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	reply, err := conn.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(reply)
}
