package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/rowhouse/rowhouse/outbound/bucket/buckettest"
)

// testBackups backs a base up to a bucket of the organization, and reads of one that failed in the inbox.
func testBackups(t *testing.T, w *world) {
	f := w.newFleet(t)
	server := buckettest.New(t)
	backups := "/orgs/" + w.owner.org + "/backups"
	body := func(rest string) string {
		return fmt.Sprintf(`{"endpoint":%q,"region":"eu-test-1","bucket":%q,"prefix":"nightly","accessKey":%q%s}`,
			server.URL, buckettest.Name, buckettest.AccessKey, rest)
	}
	secret := fmt.Sprintf(`,"secretKey":%q`, buckettest.SecretKey)
	f.ok("PUT", backups+"/settings", body(secret+`,"dryRun":true`))
	if off := f.ok("GET", backups+"/settings", ""); off.get("settings") != nil {
		t.Errorf("a dry run has stored %s", off.raw)
	}
	f.ok("PUT", backups+"/settings", body(secret))
	f.ok("PUT", backups+"/settings", body(`,"keepDays":14`)) // the secret stays
	if set := f.ok("GET", backups+"/settings", ""); set.get("settings.keepDays") != 14.0 ||
		set.text("settings.nextAt") == "" {
		t.Errorf("the settings are %s", set.raw)
	}
	await := func() answer {
		if begun := f.ok("POST", backups, fmt.Sprintf(`{"baseId":%q}`, f.base)); begun.get("backups") != 1.0 {
			t.Fatalf("what began is %s", begun.raw)
		}
		var list answer
		for range 300 {
			if list = f.ok("GET", backups+"?limit=1", ""); list.text("backups.0.state") != "running" {
				return list
			}
			time.Sleep(100 * time.Millisecond)
		}
		t.Fatalf("the backup does not end: %s", list.raw)
		return list
	}
	if good := await(); good.text("backups.0.state") != "ok" || good.get("backups.0.inBucket") != true ||
		server.Object(good.text("backups.0.object")) == nil {
		t.Errorf("the backup is %s", good.raw)
	}
	server.Damage(true)
	if bad := await(); bad.text("backups.0.state") != "failed" || bad.text("nextCursor") == "" {
		t.Errorf("the damaged backup is %s", bad.raw)
	}
	inbox := f.ok("GET", "/inbox?unread=true", "")
	if inbox.text("items.0.reason") != "backup" || inbox.text("items.0.backup.message") == "" {
		t.Fatalf("the inbox is %s", inbox.raw)
	}
	unread := inbox.get("unread").(float64) //nolint:forcetypeassert // of a test
	f.ok("POST", "/orgs/"+w.owner.org+"/inbox/read", fmt.Sprintf(`{"items":[%q]}`, inbox.text("items.0.id")))
	if now := f.ok("GET", "/inbox", ""); now.get("unread") != unread-1 {
		t.Errorf("the inbox after it was read is %s", now.raw)
	}
	f.ok("DELETE", backups+"/settings", "")
}
