package e2e

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// A delivered is a message that a receiver got.
type delivered struct {
	header http.Header
	body   []byte
	value  any
}

// newReceiver starts a receiver that responds with the statuses in turn, and then with 204.
func newReceiver(t *testing.T, statuses ...int) (address string, got chan delivered) {
	t.Helper()
	got = make(chan delivered, 100)
	next := make(chan int, len(statuses))
	for _, status := range statuses {
		next <- status
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		one := delivered{header: r.Header, body: body}
		if err := json.Unmarshal(body, &one.value); err != nil {
			t.Errorf("%v in %s", err, body)
		}
		got <- one
		select {
		case status := <-next:
			w.WriteHeader(status)
		default:
			w.WriteHeader(http.StatusNoContent)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL, got
}

func await(t *testing.T, got chan delivered) delivered {
	t.Helper()
	select {
	case one := <-got:
		return one
	case <-time.After(30 * time.Second):
		t.Fatal("no message arrived")
		return delivered{}
	}
}

// signedBy reports whether a message has a signature with a secret, as Standard Webhooks 1.0 defines it.
func (d *delivered) signedBy(t *testing.T, secret string) bool {
	t.Helper()
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		t.Fatal(err)
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", d.header.Get("Webhook-Id"), d.header.Get("Webhook-Timestamp"), d.body)
	want := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	return strings.Contains(" "+d.header.Get("Webhook-Signature")+" ", " "+want+" ")
}

// testWebhook sets up webhooks and receives their deliveries.
func testWebhook(t *testing.T, w *world) {
	f := w.newFleet(t)
	hooks := "/bases/" + f.base + "/webhooks"

	t.Run("a webhook tells of changes, and its secret verifies them", func(t *testing.T) {
		f := f.in(t)
		address, got := newReceiver(t)
		made := f.ok("POST", hooks, fmt.Sprintf(`{"url":%q,"name":"Harbour","tables":[%q],"kinds":["updated"],`+
			`"fields":[%q],"filters":[{"fieldId":"Kind","op":"eq","value":"Ferry"}],"includeValues":true}`,
			address, f.table, f.fields["Kind"]))
		one, secret := hooks+"/"+made.text("id"), made.text("secret")
		if !strings.HasPrefix(secret, "whsec_") || made.get("enabled") != true ||
			made.get("filters.0.fieldId") != f.fields["Kind"] {
			t.Fatal(made.raw)
		}
		f.ok("PATCH", "/records/"+f.records["Aase"], `{"fields":{"Kind":"Barge"}}`)
		f.ok("PATCH", "/records/"+f.records["Ingrid"], `{"fields":{"Tons":1300}}`)
		f.ok("PATCH", "/records/"+f.records["Ingrid"], `{"fields":{"Kind":"Ferry","Tons":1400}}`)
		message := await(t, got)
		if !message.signedBy(t, secret) || message.signedBy(t, "whsec_"+strings.Repeat("A", 43)+"=") {
			t.Errorf("signed %q", message.header.Get("Webhook-Signature"))
		}
		changes, _ := at(message.value, "data.changes").([]any)
		if len(changes) != 1 || at(message.value, "type") != "base.changed" ||
			at(changes[0], "record") != f.records["Ingrid"] || at(changes[0], "before.Kind") != "Barge" ||
			at(changes[0], "after.Kind") != "Ferry" || at(changes[0], "after.Tons") != nil {
			t.Errorf("%s", message.body)
		}
		if answer := f.ok("GET", one, ""); strings.Contains(answer.raw, "whsec_") || answer.get("name") != "Harbour" {
			t.Error(answer.raw)
		}
		if answer := f.ok("GET", hooks, ""); strings.Contains(answer.raw, "whsec_") ||
			answer.get("webhooks.0.id") != made.text("id") {
			t.Error(answer.raw)
		}

		rotated := f.ok("POST", one+"/secret", "").text("secret")
		delivery := f.eventually(t, one+"/deliveries?state=delivered", "deliveries.0.id")
		if delivery != message.header.Get("Webhook-Id") {
			t.Errorf("the delivery %s was the message %s", delivery, message.header.Get("Webhook-Id"))
		}
		f.ok("POST", one+"/deliveries/"+delivery+"/send", "")
		again := await(t, got)
		if string(again.body) != string(message.body) || again.header.Get("Webhook-Id") != delivery ||
			!again.signedBy(t, secret) || !again.signedBy(t, rotated) {
			t.Errorf("sent again as %s %s", again.header, again.body)
		}
		if answer := f.ok("PATCH", one, `{"enabled":false}`); answer.get("disabledReason") != "paused" {
			t.Error(answer.raw)
		}
		f.ok("DELETE", one, "")
		f.refused(http.StatusNotFound, "GET", one, "")
	})

	t.Run("a receiver that answers 410 is left alone", func(t *testing.T) {
		f := f.in(t)
		address, got := newReceiver(t, http.StatusGone)
		made := f.ok("POST", hooks, fmt.Sprintf(`{"url":%q,"name":"Leaving"}`, address))
		f.ok("PATCH", "/records/"+f.records["Solveig"], `{"fields":{"Tons":1}}`)
		await(t, got)
		if reason := f.eventually(t, hooks+"/"+made.text("id"), "disabledReason"); reason != "gone" {
			t.Errorf("disabled because of %q", reason)
		}
		if mail := w.service.Mail.Await(t, w.owner.email, "410"); !strings.Contains(mail, "Leaving") {
			t.Error(mail)
		}
	})

	t.Run("an address that is not public is refused", func(t *testing.T) {
		f := f.in(t)
		for _, address := range []string{
			"https://10.0.0.1/", "https://[::1]/", "http://169.254.169.254/latest", "https://0/", "https://2130706433/",
			"https://0177.0.0.1/", "https://[::ffff:10.0.0.1]/", "ftp://example.com/",
		} {
			f.refused(http.StatusBadRequest, "POST", hooks, fmt.Sprintf(`{"url":%q}`, address))
		}
	})
}

// eventually reads a path until a text is at a position in the response, and returns it.
func (f *fleet) eventually(t *testing.T, path, place string) string {
	t.Helper()
	for range 300 {
		if text, ok := f.ok("GET", path, "").get(place).(string); ok && text != "" {
			return text
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s has no %s", path, place)
	return ""
}
