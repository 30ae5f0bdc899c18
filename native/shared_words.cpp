#include "shared_words.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "tokenize.hpp"
#include "utf8.hpp"

namespace adjudge {
namespace {

using Id = std::uint32_t;
constexpr Id unknown = std::numeric_limits<Id>::max();
constexpr unsigned start_letters = 5;

// A step of FNV-1a, and the end of splitmix64, which spreads what the steps leave together.
constexpr std::uint64_t basis = 0xcbf29ce484222325U;
std::uint64_t step(std::uint64_t hash, char32_t c) { return (hash ^ c) * 0x100000001b3U; }
std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

// Thai, Lao, Burmese, Khmer, kana and Han: scripts that put no spaces between words.
bool is_spaceless(char32_t c) {
    return (c >= 0x0e00 && c <= 0x0eff) || (c >= 0x1000 && c <= 0x109f) || (c >= 0x1780 && c <= 0x17ff) ||
           (c >= 0x3040 && c <= 0x30ff) || (c >= 0x3400 && c <= 0x4dbf) || (c >= 0x4e00 && c <= 0x9fff) ||
           (c >= 0xf900 && c <= 0xfaff);
}

bool is_word(char32_t c) {
    if (c < 0x80) return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
    if (is_space(c)) return false;
    const char kind = unicode_class(c);
    return kind != 'P' && kind != 'S';
}

// The hashes of a line's features, each once.
void features(Line line, std::vector<std::uint64_t>& found) {
    found.clear();
    std::uint64_t word = basis, start = 0;
    unsigned letters = 0;
    char32_t before = 0;
    const auto end_word = [&] {
        if (letters > 0) found.push_back(mixed(word));
        if (letters > start_letters) found.push_back(mixed(start));
        word = basis;
        letters = 0;
    };
    for (const char *at = line.data(), *end = at + line.size(); at < end;) {
        const CodePoint c = decode(at);
        at += c.size;
        if (is_spaceless(c.value)) {
            end_word();
            if (before) found.push_back(mixed(step(step(~basis, before), c.value)));
            before = c.value;
            continue;
        }
        before = 0;
        if (!is_word(c.value)) {
            end_word();
            continue;
        }
        word = step(word, c.value);
        // Marked as a start by a sign that is in no word.
        if (++letters == start_letters) start = step(word, '^');
    }
    end_word();
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
}

// Ids for hashes, by open addressing.
class Table {
  public:
    Table() : slots_(1 << 12, {0, unknown}) {}

    Id add(std::uint64_t hash) {
        if (2 * (size_ + 1) > slots_.size()) grow();
        Slot& slot = at(hash);
        if (slot.id == unknown) slot = {hash, size_++};
        return slot.id;
    }
    Id find(std::uint64_t hash) { return at(hash).id; }
    std::size_t size() const { return size_; }

  private:
    struct Slot {
        std::uint64_t hash;
        Id id;
    };
    Slot& at(std::uint64_t hash) {
        std::size_t place = hash & (slots_.size() - 1);
        while (slots_[place].id != unknown && slots_[place].hash != hash)
            place = (place + 1) & (slots_.size() - 1);
        return slots_[place];
    }
    void grow() {
        std::vector<Slot> old(2 * slots_.size(), {0, unknown});
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.id != unknown) at(slot.hash) = slot;
    }
    std::vector<Slot> slots_;
    Id size_ = 0;
};

// The ids of all lines, one after the other.
struct LineIds {
    std::vector<Id> ids;
    std::vector<std::size_t> ends;
};

template <class Look>
LineIds look_up(Lines lines, Look look) {
    LineIds result;
    std::vector<std::uint64_t> found;
    for (const Line line : lines) {
        features(line, found);
        for (const std::uint64_t hash : found) {
            const Id id = look(hash);
            if (id != unknown) result.ids.push_back(id);
        }
        result.ends.push_back(result.ids.size());
    }
    return result;
}

std::vector<std::uint32_t> counts(const std::vector<Id>& ids, std::size_t size) {
    std::vector<std::uint32_t> result(size);
    for (const Id id : ids) ++result[id];
    return result;
}

}  // namespace

std::vector<SharedPair> shared_words(Lines ours, Lines theirs, std::uint32_t rare, std::size_t most) {
    Table table;
    const LineIds other = look_up(theirs, [&](std::uint64_t hash) { return table.add(hash); });
    const LineIds output = look_up(ours, [&](std::uint64_t hash) { return table.find(hash); });
    const std::size_t size = table.size();
    const std::vector<std::uint32_t> here = counts(output.ids, size), there = counts(other.ids, size);
    const auto usable = [&](Id id) { return here[id] > 0 && here[id] <= rare && there[id] <= rare; };
    const auto pairs = [&] {
        std::size_t sum = 0;
        for (Id id = 0; id < size; ++id)
            if (usable(id)) sum += std::size_t{here[id]} * there[id];
        return sum;
    };
    while (rare > 1 && pairs() > most) rare /= 2;

    // The lines of the other text that have each feature.
    std::vector<std::size_t> begins(size + 1);
    for (Id id = 0; id < size; ++id) begins[id + 1] = begins[id] + (usable(id) ? there[id] : 0);
    std::vector<std::uint32_t> postings(begins[size]);
    std::vector<std::size_t> next(begins.begin(), begins.end() - 1);
    std::size_t at = 0;
    for (std::size_t line = 0; line < theirs.size(); ++line)
        for (; at < other.ends[line]; ++at)
            if (const Id id = other.ids[at]; usable(id))
                postings[next[id]++] = static_cast<std::uint32_t>(line);

    std::vector<SharedPair> result, row;
    at = 0;
    for (std::size_t line = 0; line < ours.size(); ++line) {
        row.clear();
        for (; at < output.ends[line]; ++at) {
            const Id id = output.ids[at];
            if (!usable(id)) continue;
            const double chance = std::max(here[id], there[id]) / static_cast<double>(theirs.size());
            const double weight = -std::log(3 * chance);
            if (weight <= 0) continue;
            for (std::size_t p = begins[id]; p < begins[id + 1]; ++p)
                row.push_back({static_cast<std::uint32_t>(line), postings[p], weight});
        }
        std::stable_sort(row.begin(), row.end(),
                         [](const SharedPair& a, const SharedPair& b) { return a.column < b.column; });
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0 && row[i].column == row[i - 1].column)
                result.back().weight += row[i].weight;
            else
                result.push_back(row[i]);
        }
    }
    return result;
}

}  // namespace adjudge
