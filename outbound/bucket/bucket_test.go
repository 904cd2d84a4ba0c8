package bucket_test

import (
	"bytes"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/outbound/bucket"
	"github.com/rowhouse/rowhouse/outbound/bucket/buckettest"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/attachment/blobtest"
)

// local is the network of the server of the tests.
var local = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// The store of attachments conforms with the server of the tests, so that the server is enough of S3.
func TestTheServerIsEnoughOfS3(t *testing.T) {
	t.Parallel()
	server := buckettest.New(t)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	blobs, err := attachment.OpenBlobs(t.Context(), "s3+http://"+buckettest.AccessKey+":"+
		url.PathEscape(buckettest.SecretKey)+"@"+u.Host+"/"+buckettest.Name+"?region=eu-test-1")
	if err != nil {
		t.Fatal(err)
	}
	blobtest.Run(t, blobs)
}

func TestALargeObjectComesBackInParts(t *testing.T) {
	t.Parallel()
	server := buckettest.New(t)
	b, err := bucket.NewOpener(local).Open(server.Destination())
	if err != nil {
		t.Fatal(err)
	}
	large := bytes.Repeat([]byte("0123456789abcdef"), 5<<20) // 80 MB
	if err := b.Put(t.Context(), "large", bytes.NewReader(large), int64(len(large))); err != nil {
		t.Fatal(err)
	}
	var back bytes.Buffer
	if size, err := b.Get(t.Context(), "large", &back); err != nil || size != int64(len(large)) ||
		!bytes.Equal(back.Bytes(), large) {
		t.Errorf("%d bytes came back, %v", size, err)
	}
}

func TestErrorsQuoteWhatTheStoreAnswered(t *testing.T) {
	t.Parallel()
	refuse := func(method string) func(s *buckettest.Server, _ *bucket.Destination) {
		return func(s *buckettest.Server, _ *bucket.Destination) { s.Refuse(method, "AccessDenied") }
	}
	to := func(change func(d *bucket.Destination)) func(_ *buckettest.Server, d *bucket.Destination) {
		return func(_ *buckettest.Server, d *bucket.Destination) { change(d) }
	}
	nothing := to(func(*bucket.Destination) {})
	for name, one := range map[string]struct {
		change  func(s *buckettest.Server, d *bucket.Destination)
		allowed []netip.Prefix
		want    []string // parts of the message; none: it works
	}{
		"all is well":    {nothing, local, nil},
		"below a prefix": {to(func(d *bucket.Destination) { d.Prefix = "a/b" }), local, nil},
		"an unknown key": {
			to(func(d *bucket.Destination) { d.AccessKey = "AKOTHER" }), local, []string{"InvalidAccessKeyId", "403"},
		},
		"no such bucket": {
			to(func(d *bucket.Destination) { d.Bucket = "another" }), local, []string{"NoSuchBucket", "404"},
		},
		"it may not write":  {refuse("PUT"), local, []string{"Writing", "AccessDenied", "403"}},
		"it may not read":   {refuse("GET"), local, []string{"Reading", "AccessDenied"}},
		"it may not delete": {refuse("DELETE"), local, []string{"Deleting", "AccessDenied"}},
		"of this network":   {nothing, nil, []string{"no public address"}},
		"other content": {
			func(s *buckettest.Server, _ *bucket.Destination) { s.Damage(true) }, local,
			[]string{"did not return what was written"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := buckettest.New(t)
			to := server.Destination()
			one.change(server, to)
			b, err := bucket.NewOpener(one.allowed).Open(to)
			if err != nil {
				t.Fatal(err)
			}
			err = b.Test(t.Context(), to)
			if (err == nil) != (one.want == nil) {
				t.Fatalf("the test returns %v", err)
			}
			for _, want := range one.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%q is not in %q", want, err)
				}
			}
			if one.want == nil && len(server.Keys()) != 0 {
				t.Errorf("objects remain: %v", server.Keys())
			}
		})
	}
}
