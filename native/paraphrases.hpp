// METEOR's paraphrase table in a compact form that is used where it lies, in a mapped file or in memory.
//
// Which phrases match, and in which order, follows METEOR 1.5: first, from each reference position, every
// phrase of the table that starts there, shorter ones first and each one's paraphrases in the order of the
// table, wherever they occur in the hypothesis, from left to right; then the same with the sides exchanged.
// A pair that stands in the table in both directions is therefore reported twice; probabilities play no part.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace adjudge {

// Words of the reference and words of the hypothesis of which one is a paraphrase of the other.
struct PhraseMatch {
    std::int32_t reference_start, reference_length, hypothesis_start, hypothesis_length;
};

// What a compiled table starts with; sections follow without gaps in the order of ParaphraseTable's members.
struct ParaphraseHeader {
    static constexpr char expected[16] = "adjudge para 1\n";  // the number is the version of the form

    char magic[16];
    std::uint32_t byte_order;  // 1
    std::uint32_t words, slots, nodes;
    std::uint64_t entries, list_bytes, text_bytes;
    unsigned char source[32];  // a hash of the table that this was made from
    std::uint64_t checksum;    // of all before and all after it
};
static_assert(sizeof(ParaphraseHeader) == 96);

std::uint64_t paraphrase_checksum(std::span<const std::byte> compiled);
std::uint64_t paraphrase_word_hash(std::string_view word);

// A view of a compiled table, which must outlive it; any number of threads may ask it at once.
//
// Phrases are paths in a trie whose nodes are numbered breadth first, so that the children of a node are
// neighbours; they are sorted by word. A node's list holds, for each paraphrase, its size in bytes and its
// words, all as varints; words are numbered from the most frequent one.
class ParaphraseTable {
  public:
    static constexpr std::int32_t unknown = -1;

    // Room to work in, one a thread; it can be used for any table and any segment.
    class Scratch {
        friend class ParaphraseTable;
        std::vector<std::int32_t> first_;  // by word: where it occurs first, −1 where it does not
        std::vector<std::int32_t> next_;   // by position: where the same word occurs next
    };

    // Throws std::invalid_argument where the bytes are anything but a whole, undamaged compiled table that
    // starts at a multiple of 8.
    explicit ParaphraseTable(std::span<const std::byte> compiled);

    std::uint64_t entries() const { return header_->entries; }
    std::span<const unsigned char> source() const { return header_->source; }

    // The number of a word for `matches`.
    std::int32_t word(std::string_view text) const;

    // Calls visit(PhraseMatch) for each match. The number of matches, and so the time, grows with the product
    // of the lengths where both sides repeat themselves.
    template <class Visit>
    void matches(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                 Scratch& scratch, Visit&& visit) const {
        from(
            reference, hypothesis, scratch,
            [&](std::int32_t start, std::int32_t length, std::int32_t other_start,
                std::int32_t other_length) { visit(PhraseMatch{start, length, other_start, other_length}); });
        from(
            hypothesis, reference, scratch,
            [&](std::int32_t start, std::int32_t length, std::int32_t other_start,
                std::int32_t other_length) { visit(PhraseMatch{other_start, other_length, start, length}); });
    }

  private:
    static std::uint32_t read_varint(const unsigned char*& at) {
        std::uint32_t value = *at & 0x7fu;
        for (unsigned shift = 7; *at++ & 0x80u; shift += 7) value |= (*at & 0x7fu) << shift;
        return value;
    }

    std::uint32_t child(std::uint32_t node, std::int32_t word) const;  // 0 where there is none

    void index(std::span<const std::int32_t> side, Scratch& scratch) const {
        if (scratch.first_.size() < header_->words) scratch.first_.resize(header_->words, -1);
        if (scratch.next_.size() < side.size()) scratch.next_.resize(side.size());
        for (std::size_t i = side.size(); i-- > 0;) {
            if (side[i] < 0) continue;
            std::int32_t& first = scratch.first_[static_cast<std::size_t>(side[i])];
            scratch.next_[i] = first;
            first = static_cast<std::int32_t>(i);
        }
    }

    void forget(std::span<const std::int32_t> side, Scratch& scratch) const {
        for (const std::int32_t word : side)
            if (word >= 0) scratch.first_[static_cast<std::size_t>(word)] = -1;
    }

    // All phrases of one side whose paraphrases occur on the other.
    template <class Found>
    void from(std::span<const std::int32_t> side, std::span<const std::int32_t> other, Scratch& scratch,
              Found&& found) const {
        index(other, scratch);
        for (std::size_t start = 0; start < side.size(); ++start) {
            std::uint32_t node = 0;
            for (std::size_t end = start; end < side.size(); ++end) {
                if (side[end] < 0 || (node = child(node, side[end])) == 0) break;
                const unsigned char* at = lists_ + list_begins_[node];
                for (const unsigned char* list_end = lists_ + list_begins_[node + 1]; at < list_end;) {
                    const std::uint32_t bytes = read_varint(at);
                    const unsigned char* const entry_end = at + bytes;
                    std::int32_t position = scratch.first_[read_varint(at)];
                    for (; position >= 0; position = scratch.next_[static_cast<std::size_t>(position)]) {
                        const std::int32_t length =
                            matched(at, entry_end, other, static_cast<std::size_t>(position) + 1);
                        if (length > 0)
                            found(static_cast<std::int32_t>(start),
                                  static_cast<std::int32_t>(end - start + 1), position, length);
                    }
                    at = entry_end;
                }
            }
        }
        forget(other, scratch);
    }

    // The length of the paraphrase of which all words but the first are at..end, if they follow at
    // `position`.
    static std::int32_t matched(const unsigned char* at, const unsigned char* end,
                                std::span<const std::int32_t> side, std::size_t position) {
        std::int32_t length = 1;
        for (; at < end; ++length, ++position)
            if (position == side.size() || side[position] != static_cast<std::int32_t>(read_varint(at)))
                return 0;
        return length;
    }

    const ParaphraseHeader* header_;
    const std::uint32_t* slots_;         // hash table of word numbers + 1, 0 = empty; a power of two
    const std::uint32_t* word_begins_;   // words + 1
    const std::uint32_t* node_words_;    // nodes; 0 is the root
    const std::uint32_t* child_begins_;  // nodes + 1
    const std::uint32_t* list_begins_;   // nodes + 1
    const unsigned char* lists_;
    const char* text_;
};

}  // namespace adjudge
