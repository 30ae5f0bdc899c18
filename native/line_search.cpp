#include "line_search.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace adjudge {
namespace {

// A hypothesis's score along the line: offset + γ · slope.
struct ScoreLine {
    double slope, offset;
    std::size_t hypothesis;
};

// The lines that are highest somewhere, from left to right, each with the place from which on it is.
class Envelope {
  public:
    struct Piece {
        double from;
        std::size_t hypothesis;
    };

    std::vector<ScoreLine>& lines() { return lines_; }

    const std::vector<Piece>& build() {
        std::sort(lines_.begin(), lines_.end(), [](const ScoreLine& a, const ScoreLine& b) {
            if (a.slope != b.slope) return a.slope < b.slope;
            if (a.offset != b.offset) return a.offset > b.offset;
            return a.hypothesis < b.hypothesis;
        });
        pieces_.clear();
        kept_.clear();
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (i > 0 && lines_[i].slope == lines_[i - 1].slope) continue;  // nowhere above the one before
            double from = -std::numeric_limits<double>::infinity();
            while (!kept_.empty()) {
                const ScoreLine& last = lines_[kept_.back()];
                from = (last.offset - lines_[i].offset) / (lines_[i].slope - last.slope);
                if (from > pieces_.back().from) break;
                kept_.pop_back();
                pieces_.pop_back();
                from = -std::numeric_limits<double>::infinity();
            }
            kept_.push_back(i);
            pieces_.push_back({from, lines_[i].hypothesis});
        }
        return pieces_;
    }

  private:
    std::vector<ScoreLine> lines_;
    std::vector<std::size_t> kept_;
    std::vector<Piece> pieces_;
};

struct Change {
    double place;
    std::size_t before, after;
};

}  // namespace

FeatureLists::FeatureLists(std::vector<double> features, std::size_t width, std::vector<double> rows,
                           std::size_t columns, std::vector<std::size_t> begins)
    : features_(std::move(features)),
      rows_(std::move(rows)),
      width_(width),
      columns_(columns),
      begins_(std::move(begins)) {}

double FeatureLists::dot(std::size_t hypothesis, std::span<const double> weights) const {
    const double* const own = features_.data() + hypothesis * width_;
    double sum = 0;
    for (std::size_t f = 0; f < width_; ++f) sum += own[f] * weights[f];
    return sum;
}

void FeatureLists::choose(std::span<const double> weights, std::int64_t* choices) const {
    for (std::size_t list = 0; list < size(); ++list) {
        std::size_t best = begins_[list];
        double highest = dot(best, weights);
        for (std::size_t h = best + 1; h < begins_[list + 1]; ++h) {
            const double score = dot(h, weights);
            if (score > highest) {
                highest = score;
                best = h;
            }
        }
        choices[list] = static_cast<std::int64_t>(best);
    }
}

LinePieces FeatureLists::pieces(std::span<const double> weights, std::span<const double> directions) const {
    std::vector<double> offsets(begins_.back());
    for (std::size_t h = 0; h < offsets.size(); ++h) offsets[h] = dot(h, weights);
    LinePieces pieces;
    for (std::size_t at = 0; at + width_ <= directions.size(); at += width_)
        add_line(offsets, directions.subspan(at, width_), pieces);
    return pieces;
}

void FeatureLists::add_line(std::span<const double> offsets, std::span<const double> direction,
                            LinePieces& pieces) const {
    std::vector<double> sums(columns_);
    std::vector<Change> changes;
    Envelope envelope;
    for (std::size_t list = 0; list < size(); ++list) {
        envelope.lines().clear();
        for (std::size_t h = begins_[list]; h < begins_[list + 1]; ++h)
            envelope.lines().push_back({dot(h, direction), offsets[h], h});
        const auto& highest = envelope.build();
        for (std::size_t c = 0; c < columns_; ++c) sums[c] += rows_[highest[0].hypothesis * columns_ + c];
        for (std::size_t i = 1; i < highest.size(); ++i)
            changes.push_back({highest[i].from, highest[i - 1].hypothesis, highest[i].hypothesis});
    }
    // Changes of one list keep their order where they fall on one place.
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.place < b.place; });
    pieces.sums.insert(pieces.sums.end(), sums.begin(), sums.end());
    for (std::size_t i = 0; i < changes.size(); ++i) {
        for (std::size_t c = 0; c < columns_; ++c)
            sums[c] += rows_[changes[i].after * columns_ + c] - rows_[changes[i].before * columns_ + c];
        if (i + 1 < changes.size() && changes[i + 1].place == changes[i].place) continue;
        pieces.places.push_back(changes[i].place);
        pieces.sums.insert(pieces.sums.end(), sums.begin(), sums.end());
    }
    pieces.ends.push_back(static_cast<std::int64_t>(pieces.places.size()));
}

}  // namespace adjudge
