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

// maxPixels bounds the images that are decoded: at most 200 MB at eight bytes a pixel, the maximum
// of the formats. thumbnailSide is the longer side of a thumbnail, in pixels.
const (
	maxPixels     = 25_000_000
	thumbnailSide = 480
)

// A format has the decoders of one media type.
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

// thumbnail stores a thumbnail of an image and sets its dimensions on f. A file that is not an
// image, cannot be decoded or is too large gets none; that is not an error.
func (s *Store) thumbnail(
	ctx context.Context, org uuid.UUID, f *File, content io.ReadSeeker, turn func(context.Context) (func(), error),
) error {
	format, known := formats[f.Type]
	if !known {
		return nil
	}
	config, err := fromStart(content, format.config)
	if err != nil || config.Width < 1 || config.Height < 1 || int64(config.Width)*int64(config.Height) > maxPixels {
		return nil //nolint:nilerr // no thumbnail
	}
	var small []byte
	var width, height int
	if err := s.inTurn(ctx, turn, func() {
		small, width, height = makeThumbnail(content, format, f.Type == "image/jpeg")
	}); err != nil {
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

// inTurn decodes an image in a turn.
func (s *Store) inTurn(ctx context.Context, turn func(context.Context) (func(), error), decode func()) error {
	if turn != nil {
		end, err := turn(ctx)
		if err != nil {
			return err
		}
		defer end()
	}
	return s.decode(ctx, decode)
}

func fromStart[T any](content io.ReadSeeker, read func(io.Reader) (T, error)) (T, error) {
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		var none T
		return none, fmt.Errorf("rewinding an upload: %w", err)
	}
	return read(content)
}

// makeThumbnail returns a thumbnail as JPEG, or as PNG when it has transparency, and the dimensions
// of the full image as displayed. It returns nil for content that cannot be decoded.
func makeThumbnail(content io.ReadSeeker, format format, hasExif bool) (small []byte, width, height int) {
	target, width, height := scaled(content, format, hasExif, thumbnailSide)
	if target == nil {
		return nil, 0, 0
	}
	var out bytes.Buffer
	var err error
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

// scaled returns an image whose longer side is at most side, and the dimensions of the full image as displayed. It
// returns nil for content that cannot be decoded.
func scaled(content io.ReadSeeker, format format, hasExif bool, side int) (target *image.NRGBA, width, height int) {
	defer func() {
		if recover() != nil { // a decoder panicked on malformed content
			target = nil
		}
	}()
	orientation := orientationNormal
	if hasExif {
		orientation, _ = fromStart(content, readOrientation) // orientationNormal without Exif
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
	scale := min(1, float64(side)/float64(max(width, height)))
	target = image.NewNRGBA(image.Rect(0, 0, max(1, int(float64(width)*scale)), max(1, int(float64(height)*scale))))
	source := reduced(whole, scale)
	draw.BiLinear.Scale(target, target.Bounds(), source, source.Bounds(), draw.Src, nil)
	target = orientation.apply(target)
	if orientation.swapsAxes() {
		width, height = height, width
	}
	return target, width, height
}

// oversampled is how many pixels of a large image are looked at for the side of one of the scaled image. All of 25
// million pixels would take seconds.
const oversampled = 4

// reduced returns an image, or a smaller one that is enough to scale it by scale.
func reduced(whole image.Image, scale float64) image.Image {
	bounds, factor := whole.Bounds(), scale*oversampled
	if factor >= 1 {
		return whole
	}
	size := func(side int) int { return max(1, int(float64(side)*factor)) }
	out := image.NewRGBA(image.Rect(0, 0, size(bounds.Dx()), size(bounds.Dy())))
	draw.ApproxBiLinear.Scale(out, out.Bounds(), whole, bounds, draw.Src, nil)
	return out
}
