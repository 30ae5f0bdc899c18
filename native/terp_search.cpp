#include "terp_search.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

namespace adjudge {
namespace {

constexpr double unreached = std::numeric_limits<double>::infinity();
constexpr double slack = 1e-6;  // bounds may be off by rounding, decisions may not

std::size_t at(int index) { return static_cast<std::size_t>(index); }

void move_span(auto& words, const TerpShift& s) {
    const auto begin = words.begin();
    const int size = static_cast<int>(words.size());
    if (s.behind < s.start)
        std::rotate(begin + s.behind + 1, begin + s.start, begin + s.end + 1);
    else if (s.behind > s.end)
        std::rotate(begin + s.start, begin + s.end + 1, begin + s.behind + 1);
    else  // into itself: as far to the right as the place lies inside
        std::rotate(begin + s.start, begin + s.end + 1,
                    begin + std::min(size, s.end + 1 + s.behind - s.start));
}

bool any(const std::vector<int>& sums, int first, int last) { return sums[at(last + 1)] > sums[at(first)]; }

}  // namespace

double TerpSearch::price(TerpEdit edit) const {
    switch (edit) {
        case TerpEdit::match:
            return costs_.match;
        case TerpEdit::stem:
            return costs_.stem;
        case TerpEdit::synonym:
            return costs_.synonym;
        default:
            return costs_.substitution;
    }
}

double TerpSearch::run(const TerpPair& pair) {
    pair_ = &pair;
    now_ = pair.hypothesis;
    order_.resize(now_.size());
    for (std::size_t i = 0; i < order_.size(); ++i) order_[i] = static_cast<int>(i);
    phrases_ = !pair.phrases.empty();
    rows_ = pair.reference + 1;
    prices_.resize(pair.kinds.size());
    std::transform(pair.kinds.begin(), pair.kinds.end(), prices_.begin(),
                   [&](TerpEdit kind) { return price(kind); });
    path_.clear();
    shifts_.clear();
    double paid = 0;
    edits_ = with_path(now_);
    if (!now_.empty() && pair.reference > 0)
        while (best_shift()) paid += costs_.shift;
    return edits_ + paid;
}

const TerpPhrase* TerpSearch::next_phrase(const std::vector<std::int32_t>& words, int h, int r,
                                          std::size_t& place) const {
    if (!phrases_ || at(r) >= pair_->reference) return nullptr;
    const auto& here = pair_->phrases[at(r)];
    for (; place < here.size(); ++place) {
        const auto& phrase = here[place].words;
        if (phrase.size() <= words.size() - at(h) &&
            std::equal(phrase.begin(), phrase.end(), words.begin() + h))
            return &here[place++];
    }
    return nullptr;
}

// Column h leads to the next ones: words set against each other, left out and added, phrase for phrase.
// Returns whether the end can still be reached for `enough`.
template <bool keep>
bool TerpSearch::advance(Table& table, const std::vector<std::int32_t>& words, int h, double enough) {
    const int reference = static_cast<int>(pair_->reference), size = static_cast<int>(words.size());
    const bool end = h == size;
    double* const now = cell(table, h);
    double* const next = end ? nullptr : cell(table, h + 1);
    if (!end && !phrases_) std::fill_n(next, rows_, unreached);
    const std::size_t word = end ? 0 : at(words[at(h)]) * pair_->reference;
    Column& column = table.columns[at(h)];
    const double worst = column.best + limits_.beam;
    double best = unreached, least = unreached;
    int first = -1, last = -1;
    const auto reach = [&](double& there, int to_h, int to_r, double total, TerpEdit edit,
                           const TerpPhrase* phrase) {
        if (total >= there) return false;
        there = total;
        if constexpr (keep) {
            const std::size_t place = at(to_h) * rows_ + at(to_r);
            moves_[place] = edit;
            if (phrases_) used_[place] = phrase;
        }
        return true;
    };
    const TerpEdit* const kinds = pair_->kinds.data() + word;
    const double* const prices = prices_.data() + word;
    int last_row = column.last;
    for (int r = column.first; r <= reference && (end || r <= last_row); ++r) {
        const double here = now[r];
        if (here == unreached || (!end && here > worst)) continue;
        least = std::min(least, here);
        if (first < 0) first = r;
        last = r + 1;
        if (r < reference && !end) {
            const double total = here + prices[r];
            if (reach(next[r + 1], h + 1, r + 1, total, kinds[r], nullptr) || kinds[r] == TerpEdit::match)
                best = std::min(best, total);
        }
        if (phrases_) {
            std::size_t place = 0;
            while (const TerpPhrase* phrase = next_phrase(words, h, r, place)) {
                const int to_h = h + static_cast<int>(phrase->words.size()),
                          to_r = r + phrase->reference_words;
                reach(cell(table, to_h)[to_r], to_h, to_r, here + phrase->cost, TerpEdit::phrase, phrase);
            }
        }
        if (!end) reach(next[r], h + 1, r, here + costs_.insertion, TerpEdit::insertion, nullptr);
        if (r < reference && reach(now[r + 1], h, r + 1, here + costs_.deletion, TerpEdit::deletion, nullptr))
            last_row = std::max(last_row, r + 1);
    }
    column.last = last_row;
    if (!end) table.columns[at(h + 1)] = {best, std::max(first, 0), last};
    return phrases_ || least <= enough;
}

double TerpSearch::with_path(const std::vector<std::int32_t>& words) {
    const int size = static_cast<int>(words.size());
    table_.ring = words.size() + 1;
    table_.cells.resize(table_.ring * rows_);
    table_.columns.resize(words.size() + 1);
    moves_.resize(table_.ring * rows_);
    if (phrases_) used_.resize(table_.ring * rows_);
    std::fill_n(table_.cells.begin(), phrases_ ? table_.ring * rows_ : rows_, unreached);
    table_.cells[0] = 0;
    table_.columns[0] = {unreached, 0, 0};
    for (int h = 0; h <= size; ++h) advance<true>(table_, words, h, unreached);
    trace(words);
    return cell(table_, size)[rows_ - 1];
}

// The distance from every cell to the end, over the whole matrix: a bound below what the beam finds.
void TerpSearch::fill_rest() {
    const std::size_t size = now_.size(), reference = pair_->reference;
    rest_.resize((size + 1) * rows_);
    double* below = &rest_[size * rows_];
    for (std::size_t r = 0; r <= reference; ++r)
        below[r] = static_cast<double>(reference - r) * costs_.deletion;
    for (std::size_t h = size; h-- > 0;) {
        double* const row = &rest_[h * rows_];
        const double* const prices = &prices_[at(now_[h]) * reference];
        row[reference] = below[reference] + costs_.insertion;
        for (std::size_t r = reference; r-- > 0;)
            row[r] = std::min(
                {below[r + 1] + prices[r], below[r] + costs_.insertion, row[r + 1] + costs_.deletion});
        below = row;
    }
}

// The same as with_path without the path, where only the words from `from` to before `until` are not as
// before; more than `enough` is as good as no answer.
double TerpSearch::cost_only(const std::vector<std::int32_t>& words, int from, int until, double enough) {
    const int size = static_cast<int>(words.size());
    trial_.ring = phrases_ ? words.size() + 1 : 2;
    trial_.cells.resize(trial_.ring * rows_);
    trial_.columns.resize(words.size() + 1);
    if (phrases_) {
        from = 0;
        std::fill_n(trial_.cells.begin(), trial_.ring * rows_, unreached);
        trial_.cells[0] = 0;
        trial_.columns[0] = {unreached, 0, 0};
    } else {
        std::copy_n(cell(table_, from), rows_, cell(trial_, from));
        trial_.columns[at(from)] = table_.columns[at(from)];
    }
    for (int h = from; h <= size; ++h) {
        if (h == until && !phrases_) {
            const double* const here = cell(trial_, h);
            const double* const rest = &rest_[at(h) * rows_];
            double least = unreached;
            for (std::size_t r = 0; r < rows_; ++r) least = std::min(least, here[r] + rest[r]);
            if (least > enough) return unreached;
        }
        if (!advance<false>(trial_, words, h, enough)) return unreached;
    }
    return cell(trial_, size)[rows_ - 1];
}

void TerpSearch::trace(const std::vector<std::int32_t>& words) {
    path_.clear();
    int h = static_cast<int>(words.size()), r = static_cast<int>(pair_->reference);
    while (h > 0 || r > 0) {
        const std::size_t place = at(h) * rows_ + at(r);
        const TerpEdit edit = moves_[place];
        TerpStep step{edit, edit != TerpEdit::deletion, edit != TerpEdit::insertion};
        if (edit == TerpEdit::phrase)
            step = {edit, static_cast<int>(used_[place]->words.size()), used_[place]->reference_words};
        path_.push_back(step);
        h -= step.hypothesis;
        r -= step.reference;
    }
    std::reverse(path_.begin(), path_.end());
}

// Every span of words that matches a span of the reference elsewhere, with something wrong at both places.
void TerpSearch::gather() {
    candidates_.resize(at(limits_.longest_shift) + 1);
    for (auto& list : candidates_) list.clear();
    if (limits_.shifts == TerpShifts::none || limits_.longest_shift <= 0 || limits_.farthest_shift <= 0)
        return;
    beside_h_.clear();
    beside_r_.clear();
    wrong_h_.assign(1, 0);
    wrong_r_.assign(1, 0);
    for (const TerpStep& step : path_) {
        const int gap = step.hypothesis == 0 || step.reference == 0;
        const int h = static_cast<int>(beside_h_.size()) - gap, r = static_cast<int>(beside_r_.size()) - gap;
        for (int k = 0; k < step.hypothesis; ++k) {
            beside_h_.push_back(r);
            wrong_h_.push_back(wrong_h_.back() + (step.edit != TerpEdit::match));
        }
        for (int k = 0; k < step.reference; ++k) {
            beside_r_.push_back(h);
            wrong_r_.push_back(wrong_r_.back() + (step.edit != TerpEdit::match));
        }
    }
    content_h_.assign(1, 0);
    for (const std::int32_t w : now_) content_h_.push_back(content_h_.back() + !pair_->common[at(w)]);
    content_r_.assign(1, 0);
    for (const std::uint8_t c : pair_->reference_common) content_r_.push_back(content_r_.back() + !c);
    const int hypothesis = static_cast<int>(now_.size()), reference = static_cast<int>(pair_->reference);
    for (int r = 0; r < reference; ++r)
        for (int h = 0; h < hypothesis; ++h) {
            visited_.clear();
            grow(h, r, h, r);
        }
    for (auto& list : candidates_) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
    }
}

void TerpSearch::grow(int h0, int r0, int h, int r) {
    const int hypothesis = static_cast<int>(now_.size()), reference = static_cast<int>(pair_->reference);
    for (; h - h0 < limits_.longest_shift && h < hypothesis && r < reference; ++h, ++r) {
        if (phrases_ && limits_.shifts == TerpShifts::relax) {
            if (std::find(visited_.begin(), visited_.end(), std::pair(h, r)) != visited_.end()) return;
            visited_.emplace_back(h, r);
            const int low = beside_h_[at(std::max(0, h - limits_.farthest_shift))];
            const int high = beside_h_[at(std::min(hypothesis - 1, h + limits_.farthest_shift))];
            std::size_t place = 0;
            if (low <= r && r <= high)
                while (const TerpPhrase* phrase = next_phrase(now_, h, r, place))
                    grow(h0, r0, h + static_cast<int>(phrase->words.size()), r + phrase->reference_words);
        }
        if (pair_->alike[at(now_[at(h)]) * pair_->reference + at(r)] == 0) return;
        push(h0, r0, h, r);
    }
}

void TerpSearch::push(int h0, int r0, int h, int r) {
    if (!any(wrong_h_, h0, h) || !any(wrong_r_, r0, r)) return;
    if (!any(content_h_, h0, h) || !any(content_r_, r0, r)) return;
    const int there = beside_r_[at(r0)];
    if ((there >= h0 && there <= h) || std::abs(there - h0) > limits_.farthest_shift) return;
    auto& list = candidates_[at(std::min(std::max(h - h0, r - r0), limits_.longest_shift))];
    if (r0 == 0) list.push_back({h0, h, -1});
    const int last = std::min(r0 + h - h0, static_cast<int>(pair_->reference) - 1);
    for (int place = std::max(r0 - 1, 0); place <= last; ++place) {
        const int behind = beside_r_[at(place)];
        if (behind != h0 && (place == r0 || behind != there)) list.push_back({h0, h, behind});
    }
}

// Two spans that change places change the cost over the whole matrix by no more than leaving out and adding
// the shorter one's words, unless a phrase spans several words.
bool TerpSearch::pays(const TerpShift& s, double total) const {
    if (phrases_) return true;
    const int span = s.end - s.start + 1;
    const int over = s.behind < s.start ? s.start - s.behind - 1
                     : s.behind > s.end ? s.behind - s.end
                                        : s.behind - s.start;
    const double most = std::min(span, over) * (costs_.insertion + costs_.deletion);
    return rest_[0] - most + costs_.shift <= total + slack;
}

// Makes the shift that gains most, in TERp's order: longer ones first, then from left to right, and of equal
// ones the first, which may gain nothing at all. False where none is left.
bool TerpSearch::best_shift() {
    gather();
    if (!phrases_) fill_rest();
    TerpShift chosen{};
    double least = edits_, paid = 0;
    bool found = false;
    for (int length = static_cast<int>(candidates_.size()); length > 0; --length) {
        bool enough = false;
        for (const TerpShift& s : candidates_[at(length - 1)]) {
            const double gained = edits_ - (paid + least);
            enough = gained > 2 * length || (found && gained == 2 * length);
            if (enough) break;
            if (!pays(s, least + paid)) continue;
            tried_ = now_;
            move_span(tried_, s);
            const int from = s.behind < s.start ? s.behind + 1 : s.start;
            const int until = s.behind < s.start ? s.end + 1
                              : s.behind > s.end
                                  ? s.behind + 1
                                  : std::min(static_cast<int>(now_.size()), s.end + 1 + s.behind - s.start);
            const double cost = cost_only(tried_, from, until, least + paid - costs_.shift + slack);
            const double gain = (least + paid) - (cost + costs_.shift);
            if (gain > 0 || (!found && gain == 0)) {
                chosen = s;
                least = cost;
                paid = costs_.shift;
                found = true;
            }
        }
        if (enough) break;
    }
    if (!found) return false;
    move_span(now_, chosen);
    move_span(order_, chosen);
    shifts_.push_back(chosen);
    edits_ = with_path(now_);
    return true;
}

}  // namespace adjudge
