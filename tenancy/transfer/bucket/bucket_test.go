package bucket_test

import (
	"bytes"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/rowhouse/rowhouse/outbound"
	"github.com/rowhouse/rowhouse/tenancy/attachment"
	"github.com/rowhouse/rowhouse/tenancy/attachment/blobtest"
	"github.com/rowhouse/rowhouse/tenancy/transfer/bucket"
	"github.com/rowhouse/rowhouse/tenancy/transfer/bucket/buckettest"
)

func transport(allowed ...netip.Prefix) http.RoundTripper {
	return outbound.NewClient(outbound.Options{Allowed: allowed, MaxBody: 1 << 30}).Transport
}

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
	b, err := bucket.Open(server.Destination(), transport(netip.MustParsePrefix("127.0.0.0/8")))
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

func TestWhatTheStoreAnsweredIsTold(t *testing.T) {
	t.Parallel()
	local := netip.MustParsePrefix("127.0.0.0/8")
	for name, one := range map[string]struct {
		change  func(s *buckettest.Server, d *bucket.Destination)
		allowed []netip.Prefix
		want    []string // parts of the message; none: it works
	}{
		"all is well":      {allowed: []netip.Prefix{local}},
		"below a prefix":   {func(_ *buckettest.Server, d *bucket.Destination) { d.Prefix = "a/b" }, []netip.Prefix{local}, nil},
		"an unknown key":   {func(_ *buckettest.Server, d *bucket.Destination) { d.AccessKey = "AKOTHER" }, []netip.Prefix{local}, []string{"InvalidAccessKeyId", "403"}},
		"no such bucket":   {func(_ *buckettest.Server, d *bucket.Destination) { d.Bucket = "another" }, []netip.Prefix{local}, []string{"NoSuchBucket", "404"}},
		"it may not write": {func(s *buckettest.Server, _ *bucket.Destination) { s.Refuse("PUT", "AccessDenied") }, []netip.Prefix{local}, []string{"Writing", "AccessDenied", "403"}},
		"it may not read":  {func(s *buckettest.Server, _ *bucket.Destination) { s.Refuse("GET", "AccessDenied") }, []netip.Prefix{local}, []string{"Reading", "AccessDenied"}},
		"it may not delete": {
			func(s *buckettest.Server, _ *bucket.Destination) { s.Refuse("DELETE", "AccessDenied") }, []netip.Prefix{local},
			[]string{"Deleting", "AccessDenied"},
		},
		"an address of this network": {nil, nil, []string{"no public address"}},
		"what was written comes back otherwise": {
			func(s *buckettest.Server, _ *bucket.Destination) { s.Damage(true) }, []netip.Prefix{local},
			[]string{"did not return what was written"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := buckettest.New(t)
			to := server.Destination()
			if one.change != nil {
				one.change(server, to)
			}
			b, err := bucket.Open(to, transport(one.allowed...))
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
