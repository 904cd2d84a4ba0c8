package migrations_test

import (
	"context"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgerrcode"
	"github.com/jackc/pgx/v5"

	"github.com/rowhouse/rowhouse/internal/pgerror"
	"github.com/rowhouse/rowhouse/migrations"
	"github.com/rowhouse/rowhouse/tenancy/db"
	"github.com/rowhouse/rowhouse/tenancy/tenancytest"
)

func provision(t *testing.T, adminURL, databaseURL string) {
	t.Helper()
	user := parse(t, databaseURL).User
	password, _ := user.Password()
	if err := migrations.Provision(t.Context(), adminURL, user.Username(), password); err != nil {
		t.Fatal(err)
	}
}

func parse(t *testing.T, address string) *url.URL {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// connectURL opens a session that ends with the test.
func connectURL(t *testing.T, address string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	return conn
}

func checkExposed(t *testing.T, databaseURL string, want bool) {
	t.Helper()
	if exposed, err := migrations.Exposed(t.Context(), databaseURL); err != nil || exposed != want {
		t.Errorf("exposed is %t, want %t: %v", exposed, want, err)
	}
}

func TestProvisioningClosesStatementStatistics(t *testing.T) {
	t.Parallel()
	database := tenancytest.FreshDatabaseURL(t)
	admin := tenancytest.AdminURLOf(t, database)
	checkExposed(t, database, false)
	execute(t, connectURL(t, admin), "create extension pg_stat_statements")
	checkExposed(t, database, true)
	for range 2 {
		provision(t, admin, database)
		checkExposed(t, database, false)
	}
	for login, role := range migrations.Logins {
		conn := connectURL(t, tenancytest.LoginURL(t, database, login))
		for _, take := range []string{"reset role", "set role " + role} {
			execute(t, conn, take)
			for _, statement := range []string{
				"select from pg_stat_statements", "select pg_stat_statements(true)",
				"select from pg_stat_statements_info", "select pg_stat_statements_info()",
				"select pg_stat_statements_reset()",
			} {
				if _, err := conn.Exec(t.Context(), statement); !pgerror.Is(err, pgerrcode.InsufficientPrivilege) {
					t.Errorf("%s, %s: %s: %v", login, take, statement, err)
				}
			}
		}
	}
}

// A managedDatabase is provisioned by an administrator who is no superuser: who may create roles and
// databases, as on managed PostgreSQL.
type managedDatabase struct{ admin, url string }

func newManagedDatabase(t *testing.T) managedDatabase {
	t.Helper()
	if tenancytest.DB(t).Distributed() {
		t.Skip("only a superuser creates a database on the nodes of Citus")
	}
	random := uuid.New()
	name := "rowhouse_managed_" + hex.EncodeToString(random[:6])
	superuser := connectURL(t, tenancytest.AdminURL(t))
	execute(t, superuser, "create role "+name+" login createrole createdb password 'managed'")
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		if err := tenancytest.DropDatabase(ctx, tenancytest.AdminURL(t), name); err != nil {
			t.Error(err)
		}
		roles := []string{name + "_service", name + "_service_sql_creator", name + "_service_sql"}
		for login := range migrations.Logins {
			roles = append(roles, name+"_service_"+string(login))
		}
		if _, err := superuser.Exec(ctx, "drop role if exists "+strings.Join(append(roles, name), ", ")); err != nil {
			t.Error(err)
		}
	})
	var version int
	if err := superuser.QueryRow(t.Context(), "select current_setting('server_version_num')::int").
		Scan(&version); err != nil {
		t.Fatal(err)
	}
	if version >= 160000 { // what the creator of roles has; here another test created them
		execute(t, superuser, "grant rowhouse_app, rowhouse_owner, rowhouse_system, rowhouse_search to "+name+
			" with admin true, inherit false, set false")
	}
	admin := parse(t, tenancytest.AdminURL(t))
	admin.User = url.UserPassword(name, "managed")
	if err := migrations.CreateDatabase(t.Context(), admin.String(), name); err != nil {
		t.Fatal(err)
	}
	admin.Path = "/" + name
	service := *admin
	service.User = url.UserPassword(name+"_service", "first")
	return managedDatabase{admin.String(), service.String()}
}

func TestAdministratorWhoIsNoSuperuserProvisions(t *testing.T) {
	t.Parallel()
	managed := newManagedDatabase(t)
	for range 2 {
		provision(t, managed.admin, managed.url)
		if err := migrations.Up(t.Context(), managed.url); err != nil {
			t.Fatal(err)
		}
	}
	admin := connectURL(t, managed.admin)
	if _, err := admin.Exec(t.Context(), "set role rowhouse_owner"); !pgerror.Is(err, pgerrcode.InsufficientPrivilege) {
		t.Errorf("the administrator is still a member of the owner: %v", err)
	}
	database, err := db.Open(t.Context(), managed.url, db.Options{Secrets: tenancytest.Secrets(), MaxConns: 3})
	if err != nil {
		t.Fatal(err)
	}
	defer database.Close()
	tenancytest.Org(t, database)
	if err := database.CheckIsolation(t.Context()); err != nil {
		t.Error(err)
	}

	// After a change of the password, the logins get theirs.
	changed := parse(t, managed.url)
	changed.User = url.UserPassword(changed.User.Username(), "second")
	execute(t, admin, "alter role "+changed.User.Username()+" password 'second'")
	provision(t, managed.admin, changed.String())
	connectURL(t, tenancytest.LoginURL(t, changed.String(), migrations.Request))

	checkExposed(t, changed.String(), true)
	provision(t, tenancytest.AdminURLOf(t, changed.String()), changed.String())
	checkExposed(t, changed.String(), false)
}
