#include "paraphrase_builder.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "paraphrases.hpp"

namespace adjudge {

namespace {

constexpr std::size_t block_size = 1 << 22;
constexpr std::size_t most_blocks = 512;
constexpr std::uint64_t most = std::numeric_limits<std::int32_t>::max();

// Where java.util.StringTokenizer, with which METEOR reads its table, cuts words.
bool is_delimiter(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\n'; }

bool is_utf8(std::string_view text) {
    const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned char first = byte(i);
        const std::size_t size = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
        if ((first >= 0x80 && first < 0xc2) || first > 0xf4 || i + size > text.size()) return false;
        for (std::size_t k = 1; k < size; ++k)
            if ((byte(i + k) & 0xc0) != 0x80) return false;
        // Overlong forms, surrogates and what lies beyond U+10FFFF.
        if (first == 0xe0 && byte(i + 1) < 0xa0) return false;
        if (first == 0xed && byte(i + 1) >= 0xa0) return false;
        if (first == 0xf0 && byte(i + 1) < 0x90) return false;
        if (first == 0xf4 && byte(i + 1) >= 0x90) return false;
        i += size;
    }
    return true;
}

// A line as it can stand in a message: short, and with nothing in it that is no printable ASCII.
std::string quoted(std::string_view text) {
    std::string shown = "'";
    for (const char c : text.substr(0, 40)) shown += c >= ' ' && c < 0x7f ? c : '?';
    return shown + (text.size() > 40 ? "…'" : "'");
}

std::size_t varint_size(std::uint64_t value) {
    std::size_t size = 1;
    for (; value >= 0x80; value >>= 7) ++size;
    return size;
}

unsigned char* write_varint(unsigned char* at, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) *at++ = static_cast<unsigned char>(value | 0x80);
    *at++ = static_cast<unsigned char>(value);
    return at;
}

std::uint32_t read_varint(const unsigned char*& at) {
    std::uint32_t value = *at & 0x7fu;
    for (unsigned shift = 7; *at++ & 0x80u; shift += 7) value |= (*at & 0x7fu) << shift;
    return value;
}

std::uint64_t edge_hash(std::uint32_t node, std::uint32_t word) {
    const std::uint64_t h = (std::uint64_t{node} << 32 | word) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 32);
}

}  // namespace

ParaphraseBuilder::ParaphraseBuilder() : word_slots_(1 << 12), node_slots_(1 << 12) {}

void ParaphraseBuilder::refuse(const std::string& why) const {
    throw std::invalid_argument("line " + std::to_string(lines_) + ": " + why);
}

void ParaphraseBuilder::feed(std::string_view piece) {
    while (!piece.empty()) {
        const std::size_t end = piece.find('\n');
        const std::string_view part = piece.substr(0, end);
        if (carry_.size() + part.size() > longest_line) {
            ++lines_;
            refuse("is longer than a megabyte, which no phrase is");
        }
        if (end == std::string_view::npos) {
            carry_ += part;
            return;
        }
        if (carry_.empty()) {
            line(part);
        } else {
            carry_ += part;
            line(carry_);
            carry_.clear();
        }
        piece.remove_prefix(end + 1);
    }
}

void ParaphraseBuilder::line(std::string_view text) {
    ++lines_;
    if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
    if (lines_ % 3 == 1) {
        check_probability(text);
    } else if (lines_ % 3 == 2) {
        if (text == phrase_ && entries_ > 0) return;
        read_words(text, "phrase");
        node_ = phrase_node();
        phrase_ = text;
    } else {
        read_words(text, "paraphrase");
        for (const std::uint32_t word : words_) ++frequencies_[word];
        append_entry();
        ++entries_;
    }
}

// METEOR passes over this line; here it tells whether one is where one thinks one is.
void ParaphraseBuilder::check_probability(std::string_view text) const {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    // Results too small for a number are fine, and from_chars calls them out of range.
    const bool number = end == text.data() + text.size() && error != std::errc::invalid_argument;
    if (!number || !std::isfinite(value) || value < 0)
        refuse("expected a probability, found " + quoted(text));
}

void ParaphraseBuilder::read_words(std::string_view text, const char* what) {
    words_.clear();
    for (std::size_t i = 0; i < text.size();) {
        if (is_delimiter(text[i])) {
            ++i;
            continue;
        }
        const std::size_t begin = i;
        while (i < text.size() && !is_delimiter(text[i])) ++i;
        words_.push_back(intern(text.substr(begin, i - begin)));
    }
    if (words_.empty()) refuse(std::string("expected a ") + what + ", found no words");
}

std::uint32_t ParaphraseBuilder::intern(std::string_view word) {
    const std::uint64_t hash = paraphrase_word_hash(word);
    const auto known = [this](std::uint32_t id) {
        return std::string_view(text_.data() + word_begins_[id], word_begins_[id + 1] - word_begins_[id]);
    };
    std::size_t mask = word_slots_.size() - 1;
    std::size_t i = hash & mask;
    for (; word_slots_[i] != 0; i = (i + 1) & mask)
        if (known(word_slots_[i] - 1) == word) return word_slots_[i] - 1;

    // Lines are valid where all their words are, and each word needs to be looked at only once.
    if (!is_utf8(word)) refuse("is not UTF-8: " + quoted(word));
    if (text_.size() + word.size() > most) refuse("too many different words");
    const auto id = static_cast<std::uint32_t>(frequencies_.size());
    text_ += word;
    word_begins_.push_back(static_cast<std::uint32_t>(text_.size()));
    frequencies_.push_back(0);
    word_slots_[i] = id + 1;
    if (2 * frequencies_.size() > word_slots_.size()) {
        word_slots_.assign(2 * word_slots_.size(), 0);
        mask = word_slots_.size() - 1;
        for (std::uint32_t old = 0; old <= id; ++old) {
            i = paraphrase_word_hash(known(old)) & mask;
            while (word_slots_[i] != 0) i = (i + 1) & mask;
            word_slots_[i] = old + 1;
        }
    }
    return id;
}

std::uint32_t ParaphraseBuilder::phrase_node() {
    std::uint32_t node = 0;
    for (const std::uint32_t word : words_) node = child(node, word);
    return node;
}

std::uint32_t ParaphraseBuilder::child(std::uint32_t node, std::uint32_t word) {
    std::size_t mask = node_slots_.size() - 1;
    std::size_t i = edge_hash(node, word) & mask;
    for (; node_slots_[i] != 0; i = (i + 1) & mask)
        if (parents_[node_slots_[i]] == node && node_words_[node_slots_[i]] == word) return node_slots_[i];

    if (parents_.size() > most) refuse("too many different phrases");
    const auto made = static_cast<std::uint32_t>(parents_.size());
    parents_.push_back(node);
    node_words_.push_back(word);
    node_slots_[i] = made;
    if (2 * parents_.size() > node_slots_.size()) {
        node_slots_.assign(2 * node_slots_.size(), 0);
        mask = node_slots_.size() - 1;
        for (std::uint32_t old = 1; old <= made; ++old) {
            i = edge_hash(parents_[old], node_words_[old]) & mask;
            while (node_slots_[i] != 0) i = (i + 1) & mask;
            node_slots_[i] = old;
        }
    }
    return made;
}

void ParaphraseBuilder::append_entry() {
    std::size_t size = varint_size(node_) + varint_size(words_.size());
    for (const std::uint32_t word : words_) size += varint_size(word);
    if (blocks_.empty() || blocks_.back().size - blocks_.back().used < size) {
        if (blocks_.size() == most_blocks) refuse("the table is too large: it takes more than 2 GB");
        const std::size_t room = std::max(block_size, size);
        blocks_.push_back({std::make_unique_for_overwrite<unsigned char[]>(room), 0, room});
    }
    Block& block = blocks_.back();
    unsigned char* at = block.bytes.get() + block.used;
    at = write_varint(at, node_);
    at = write_varint(at, words_.size());
    for (const std::uint32_t word : words_) at = write_varint(at, word);
    block.used += size;
}

template <class Visit>
void ParaphraseBuilder::each_entry(Visit&& visit) const {
    std::vector<std::uint32_t> words;
    for (const Block& block : blocks_) {
        const unsigned char* at = block.bytes.get();
        for (const unsigned char* const end = at + block.used; at < end;) {
            const std::uint32_t node = read_varint(at);
            words.resize(read_varint(at));
            for (std::uint32_t& word : words) word = read_varint(at);
            visit(node, words);
        }
    }
}

std::vector<std::byte> ParaphraseBuilder::finish(std::span<const unsigned char, 32> source) {
    if (!carry_.empty()) {
        const std::string last = std::move(carry_);
        carry_.clear();
        line(last);
    }
    if (lines_ == 0) throw std::invalid_argument("line 1: expected a probability, found the end of the file");
    if (lines_ % 3 != 0)
        refuse(std::string("expected a ") + (lines_ % 3 == 1 ? "phrase" : "paraphrase") +
               " after it, found the end of the file");

    // Frequent words get small numbers, which take one byte.
    const std::size_t words = frequencies_.size(), nodes = parents_.size();
    std::vector<std::uint32_t> by_frequency(words), rank(words);
    std::iota(by_frequency.begin(), by_frequency.end(), 0u);
    std::stable_sort(by_frequency.begin(), by_frequency.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return frequencies_[a] > frequencies_[b]; });
    for (std::size_t i = 0; i < words; ++i) rank[by_frequency[i]] = static_cast<std::uint32_t>(i);

    // Breadth first: each level is sorted by the new number of the parent, then by word. A parent is always
    // older than its children, so depths are known in one pass.
    std::vector<std::uint32_t> depth(nodes), order(nodes), place(nodes);
    for (std::size_t node = 1; node < nodes; ++node) depth[node] = depth[parents_[node]] + 1;
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return depth[a] < depth[b]; });
    for (std::size_t begin = 1, end; begin < nodes; begin = end) {
        for (end = begin; end < nodes && depth[order[end]] == depth[order[begin]];) ++end;
        const auto at = [&](std::size_t i) { return order.begin() + static_cast<std::ptrdiff_t>(i); };
        std::sort(at(begin), at(end), [&](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t pa = place[parents_[a]], pb = place[parents_[b]];
            return pa != pb ? pa < pb : rank[node_words_[a]] < rank[node_words_[b]];
        });
        for (std::size_t i = begin; i < end; ++i) place[order[i]] = static_cast<std::uint32_t>(i);
    }

    const auto body = [&](const std::vector<std::uint32_t>& entry) {
        std::size_t size = 0;
        for (const std::uint32_t word : entry) size += varint_size(rank[word]);
        return size;
    };
    std::vector<std::uint64_t> list_begins(nodes + 1);
    each_entry([&](std::uint32_t node, const std::vector<std::uint32_t>& entry) {
        const std::size_t size = body(entry);
        list_begins[place[node] + 1] += varint_size(size) + size;
    });
    std::partial_sum(list_begins.begin(), list_begins.end(), list_begins.begin());
    if (list_begins[nodes] > most) refuse("the table is too large: it takes more than 2 GB");

    ParaphraseHeader header{};
    std::memcpy(header.magic, ParaphraseHeader::expected, sizeof header.magic);
    header.byte_order = 1;
    header.words = static_cast<std::uint32_t>(words);
    header.slots = static_cast<std::uint32_t>(word_slots_.size());
    header.nodes = static_cast<std::uint32_t>(nodes);
    header.entries = entries_;
    header.list_bytes = list_begins[nodes];
    header.text_bytes = text_.size();
    std::copy(source.begin(), source.end(), header.source);

    const std::size_t numbers = word_slots_.size() + (words + 1) + nodes + 2 * (nodes + 1);
    std::vector<std::byte> compiled(sizeof header + 4 * numbers + header.list_bytes + header.text_bytes);
    auto* const slots = reinterpret_cast<std::uint32_t*>(compiled.data() + sizeof header);
    std::uint32_t* const word_begins = slots + word_slots_.size();
    std::uint32_t* const node_words = word_begins + words + 1;
    std::uint32_t* const child_begins = node_words + nodes;
    std::uint32_t* const lists_at = child_begins + nodes + 1;
    auto* const lists = reinterpret_cast<unsigned char*>(lists_at + nodes + 1);
    auto* const text = reinterpret_cast<char*>(lists + header.list_bytes);

    std::transform(word_slots_.begin(), word_slots_.end(), slots,
                   [&](std::uint32_t slot) { return slot == 0 ? 0 : rank[slot - 1] + 1; });
    for (std::size_t i = 0, end = 0; i < words; ++i) {
        const std::uint32_t old = by_frequency[i], size = word_begins_[old + 1] - word_begins_[old];
        std::memcpy(text + end, text_.data() + word_begins_[old], size);
        end += size;
        word_begins[i + 1] = static_cast<std::uint32_t>(end);
    }
    for (std::size_t i = 1; i < nodes; ++i) {
        node_words[i] = rank[node_words_[order[i]]];
        ++child_begins[place[parents_[order[i]]] + 1];
    }
    child_begins[0] = 1;  // after the root, which is nobody's child
    std::partial_sum(child_begins, child_begins + nodes + 1, child_begins);
    std::transform(list_begins.begin(), list_begins.end(), lists_at,
                   [](std::uint64_t begin) { return static_cast<std::uint32_t>(begin); });
    each_entry([&](std::uint32_t node, const std::vector<std::uint32_t>& entry) {
        std::uint64_t& begin = list_begins[place[node]];  // moves on to where the next entry goes
        unsigned char* at = write_varint(lists + begin, body(entry));
        for (const std::uint32_t word : entry) at = write_varint(at, rank[word]);
        begin = static_cast<std::uint64_t>(at - lists);
    });
    blocks_.clear();

    std::memcpy(compiled.data(), &header, sizeof header);
    header.checksum = paraphrase_checksum(compiled);
    std::memcpy(compiled.data(), &header, sizeof header);
    return compiled;
}

}  // namespace adjudge
