// Compiles METEOR's paraphrase table: three lines an entry, namely a probability, a phrase and its
// paraphrase.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace adjudge {

// Takes the text of a table piece by piece. What is wrong with it is thrown as std::invalid_argument, with a
// message that starts with the number of the line.
class ParaphraseBuilder {
  public:
    static constexpr std::size_t longest_line = 1 << 20;  // bytes

    ParaphraseBuilder();
    ParaphraseBuilder(const ParaphraseBuilder&) = delete;
    ParaphraseBuilder& operator=(const ParaphraseBuilder&) = delete;

    void feed(std::string_view piece);

    // The compiled table (ParaphraseTable reads it), marked with the hash of what it was made from; once.
    std::vector<std::byte> finish(std::span<const unsigned char, 32> source);

    std::uint64_t entries() const { return entries_; }
    std::uint64_t lines() const { return lines_; }

  private:
    void line(std::string_view text);
    void check_probability(std::string_view text) const;
    void read_words(std::string_view text, const char* what);  // to words_
    std::uint32_t intern(std::string_view word);
    std::uint32_t phrase_node();  // of words_
    std::uint32_t child(std::uint32_t node, std::uint32_t word);
    void append_entry();
    template <class Visit>
    void each_entry(Visit&& visit) const;  // visit(node, words), in the order of the table
    [[noreturn]] void refuse(const std::string& why) const;

    std::uint64_t lines_ = 0, entries_ = 0;
    std::string carry_;   // the start of a line whose end is yet to come
    std::string phrase_;  // the last phrase and its node: tables are sorted by phrase
    std::uint32_t node_ = 0;
    std::vector<std::uint32_t> words_;

    std::string text_;  // the words, one after the other
    std::vector<std::uint32_t> word_begins_{0};
    std::vector<std::uint32_t> word_slots_;
    std::vector<std::uint64_t> frequencies_;  // in paraphrases

    std::vector<std::uint32_t> parents_{0}, node_words_{0};  // 0 is the root
    std::vector<std::uint32_t> node_slots_;

    // Entries in blocks, since one growing array would be copied and need twice the room for a moment.
    struct Block {
        std::unique_ptr<unsigned char[]> bytes;
        std::size_t used = 0, size = 0;
    };
    std::vector<Block> blocks_;
};

}  // namespace adjudge
