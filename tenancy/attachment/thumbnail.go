package attachment

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"

	"github.com/google/uuid"
	"golang.org/x/image/draw"
	"golang.org/x/image/webp"
)

// maxPixels bounds the images that are decoded: at eight bytes a pixel, the most that the formats need, 200 MB, one at a time.
// thumbnailSide is the longer side of a thumbnail.
const (
	maxPixels     = 25_000_000
	thumbnailSide = 480
)

// A format says how images of one media type are read.
type format struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

var formats = map[string]format{
	"image/jpeg": {jpeg.DecodeConfig, jpeg.Decode},
	"image/png":  {png.DecodeConfig, png.Decode},
	"image/gif":  {gif.DecodeConfig, gif.Decode},
	"image/webp": {webp.DecodeConfig, webp.Decode},
}

// thumbnail keeps a small image of a file that is an image, and notes its size. A file that cannot be read as one, or is too
// large to be, has none; that is no error.
func (s *Store) thumbnail(ctx context.Context, org uuid.UUID, f *File, content io.ReadSeeker) error {
	format, known := formats[f.Type]
	if !known {
		return nil
	}
	config, err := fromStart(content, format.config)
	if err != nil || config.Width < 1 || config.Height < 1 || int64(config.Width)*int64(config.Height) > maxPixels {
		return nil //nolint:nilerr // a file like any other
	}
	var small []byte
	var width, height int
	if err := s.decode(ctx, func() { small, width, height = makeThumbnail(content, format, f.Type == "image/jpeg") }); err != nil {
		return err
	}
	if small == nil {
		return nil
	}
	if err := s.blobs.Put(ctx, key(org, f.ID, true), bytes.NewReader(small), int64(len(small))); err != nil {
		return errUnavailable(fmt.Errorf("keeping a thumbnail: %w", err))
	}
	f.Width, f.Height = width, height
	return nil
}

func fromStart[T any](content io.ReadSeeker, read func(io.Reader) (T, error)) (T, error) {
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		var none T
		return none, fmt.Errorf("going back in an upload: %w", err)
	}
	return read(content)
}

// makeThumbnail returns a small image of content as JPEG, or as PNG when it lets something through, and the size of the whole as it is
// shown. It returns nil for content that cannot be decoded, whatever is wrong with it.
func makeThumbnail(content io.ReadSeeker, format format, hasExif bool) (small []byte, width, height int) {
	defer func() {
		if recover() != nil { // a decoder that stumbles over what it was given
			small = nil
		}
	}()
	orientation := orientationNormal
	if hasExif {
		orientation, _ = fromStart(content, readOrientation) // upright when it does not say
	}
	whole, err := fromStart(content, format.decode)
	if err != nil {
		return nil, 0, 0
	}
	bounds := whole.Bounds()
	width, height = bounds.Dx(), bounds.Dy()
	if width < 1 || height < 1 {
		return nil, 0, 0
	}
	scale := min(1, float64(thumbnailSide)/float64(max(width, height)))
	target := image.NewNRGBA(image.Rect(0, 0, max(1, int(float64(width)*scale)), max(1, int(float64(height)*scale))))
	draw.BiLinear.Scale(target, target.Bounds(), whole, bounds, draw.Src, nil)
	target = orientation.apply(target)
	if orientation.swapsAxes() {
		width, height = height, width
	}
	var out bytes.Buffer
	if target.Opaque() {
		err = jpeg.Encode(&out, target, &jpeg.Options{Quality: 82})
	} else {
		err = png.Encode(&out, target)
	}
	if err != nil {
		return nil, 0, 0
	}
	return out.Bytes(), width, height
}
