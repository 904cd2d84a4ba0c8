package client

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	rowhouse "github.com/rowhouse/rowhouse/clients/go"
)

type webhookListenCommand struct {
	connection `embed:""`
	inBase     `embed:""`

	Address string   `arg:"" placeholder:"URL" help:"Where your receiver listens, such as localhost, with http:// and its port."`
	Tables  []string `short:"t" name:"table" placeholder:"TABLE" help:"Only changes of these tables."`
	Kinds   []string `name:"kind" enum:"created,updated,deleted,linked,restored,schema,commented" placeholder:"KIND" help:"Only these kinds: created, updated, deleted, linked, restored, schema, commented."`
	Values  bool     `help:"With the values before and after, as includeValues of a webhook."`
	Secret  string   `env:"WEBHOOK_SECRET" placeholder:"SECRET" help:"whsec_… that signs the messages. Default: a new one, which is printed."`
	Since   string   `placeholder:"CURSOR" help:"Behind the change with this cursor, or earliest. Default: now."`
}

func (webhookListenCommand) Help() string {
	return `Examples:

  export WEBHOOK_SECRET=whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=
  PORT=8787 node receiver.mjs &
  rowhouse webhook listen http://localhost:8787/ --base Harbour --table Ships

The messages are those of a webhook, signed in the same way, with one change each. No webhook is set up, and the
service need not reach your machine. What the receiver refuses is tried again some times, and then left out.`
}

func (c *webhookListenCommand) Run(ctx context.Context, to Streams) error {
	key, err := c.key(to)
	if err != nil {
		return err
	}
	client, err := c.client()
	if err != nil {
		return err
	}
	base, feed, err := feedOf(ctx, client, c.Base, c.Since, c.Tables, c.Kinds)
	if err != nil {
		return err
	}
	fmt.Fprintf(to.Err, "Sending the changes of %s to %s. Ctrl-C ends it.\n", base.Name, c.Address)
	for change, err := range client.Watch(ctx, base.ID, feed) {
		if err != nil {
			if ctx.Err() != nil {
				return nil // Ctrl-C is how listening ends
			}
			return err
		}
		body, err := c.message(base.ID, &change)
		if err != nil {
			return err
		}
		status := c.deliver(ctx, key, body)
		fmt.Fprintf(to.Out, "%s %s %s: %s\n", change.Time, change.Kind, change.Record+change.ID, status)
	}
	return nil
}

const secretPrefix = "whsec_"

// key returns the key of the secret.
func (c *webhookListenCommand) key(to Streams) ([]byte, error) {
	if c.Secret == "" {
		key := make([]byte, sha256.Size)
		_, _ = rand.Read(key) // it never fails
		fmt.Fprintf(to.Err, "WEBHOOK_SECRET=%s%s\n", secretPrefix, base64.StdEncoding.EncodeToString(key))
		return key, nil
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(c.Secret, secretPrefix))
	if err != nil {
		return nil, fail(StatusUsage, "--secret is not whsec_ and base64: %v", err)
	}
	return key, nil
}

// message is a change as a webhook sends it.
func (c *webhookListenCommand) message(base string, change *rowhouse.FeedChange) ([]byte, error) {
	sent := change.Raw
	if !c.Values {
		members := map[string]json.RawMessage{}
		if err := json.Unmarshal(change.Raw, &members); err != nil {
			return nil, fmt.Errorf("reading a change: %w", err)
		}
		for _, name := range []string{"before", "after", "links"} {
			delete(members, name)
		}
		var err error
		if sent, err = json.Marshal(members); err != nil {
			return nil, fmt.Errorf("writing a change: %w", err)
		}
	}
	body, err := json.Marshal(map[string]any{
		"type": "base.changed", "timestamp": change.Time,
		"data": map[string]any{
			"webhook": "whk_local", "base": base, "changes": []json.RawMessage{sent}, "cursor": change.Cursor,
		},
	})
	if err != nil {
		return nil, fmt.Errorf("writing a message: %w", err)
	}
	return body, nil
}

const (
	// answerTime is how long a receiver has, as for a webhook.
	answerTime = 15 * time.Second
	deliveries = 5
)

// deliver sends a message until the receiver accepts it or has refused it often enough, and returns what
// became of it. Each attempt is signed at its time (Standard Webhooks).
func (c *webhookListenCommand) deliver(ctx context.Context, key, body []byte) string {
	client := &http.Client{
		Timeout:       answerTime,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	id := "dlv_" + strings.ToLower(rand.Text())
	status := ""
	for attempt := range deliveries {
		if attempt > 0 {
			select {
			case <-time.After(time.Duration(attempt) * time.Second):
			case <-ctx.Done():
				return status
			}
		}
		request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.Address, bytes.NewReader(body))
		if err != nil {
			return err.Error()
		}
		now := strconv.FormatInt(time.Now().Unix(), 10)
		mac := hmac.New(sha256.New, key)
		fmt.Fprintf(mac, "%s.%s.%s", id, now, body)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Webhook-Id", id)
		request.Header.Set("Webhook-Timestamp", now)
		request.Header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		response, err := client.Do(request)
		if err != nil {
			status = err.Error()
			continue
		}
		_ = response.Body.Close() // its status is the answer
		status = response.Status
		if response.StatusCode >= http.StatusOK && response.StatusCode < http.StatusMultipleChoices {
			return status
		}
	}
	return status + ", left out"
}
