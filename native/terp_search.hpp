// TERp's search (Snover et al. 2009): the cheapest edits of one hypothesis into one reference, with shifts.
#pragma once

#include <cstdint>
#include <vector>

namespace adjudge {

enum class TerpShifts { none, exact, relax_nophrase, relax };

struct TerpCosts {
    double match, insertion, deletion, substitution, stem, synonym, shift;
};

struct TerpLimits {
    double beam;  // cells this much behind the best of the column before are left out
    int longest_shift, farthest_shift;
    TerpShifts shifts;
};

enum class TerpEdit : std::uint8_t { match, insertion, deletion, substitution, stem, synonym, phrase };

// A phrase that may stand in place of `reference_words` words of the reference.
struct TerpPhrase {
    std::vector<std::int32_t> words;  // of the hypothesis
    int reference_words;
    double cost;
};

// Words of one pair of segments by small numbers, and how they go together.
struct TerpPair {
    std::vector<std::int32_t> hypothesis;             // each < hypothesis_words
    std::size_t hypothesis_words = 0, reference = 0;  // different words; words
    std::vector<TerpEdit> kinds;                      // of each different word beside each of the reference
    std::vector<std::uint8_t> alike;                  // whether the two may be moved onto each other
    std::vector<std::uint8_t> common, reference_common;  // whether a word alone is not worth a shift
    std::vector<std::vector<TerpPhrase>> phrases;  // by the first word of the reference; empty without any
};

struct TerpStep {
    TerpEdit edit;
    int hypothesis, reference;  // words taken
};

struct TerpShift {
    int start, end, behind;  // the words start…end went behind that one; −1 = to the front
    friend auto operator<=>(const TerpShift&, const TerpShift&) = default;
};

class TerpSearch {
  public:
    TerpSearch(const TerpCosts& costs, const TerpLimits& limits) : costs_(costs), limits_(limits) {}

    double run(const TerpPair& pair);

    // Of the last run. Steps are those of the hypothesis after all shifts.
    const std::vector<TerpStep>& path() const { return path_; }
    const std::vector<TerpShift>& shifts() const { return shifts_; }
    // The words' first places, in the order after all shifts.
    const std::vector<int>& order() const { return order_; }

  private:
    struct Column {
        double best;      // of the words set against each other to get here
        int first, last;  // rows that count
    };
    struct Table {
        std::size_t ring = 0;  // columns kept
        std::vector<double> cells;
        std::vector<Column> columns;
    };

    double price(TerpEdit edit) const;
    double cost_only(const std::vector<std::int32_t>& words, int from, int until, double enough);
    void fill_rest();
    double with_path(const std::vector<std::int32_t>& words);
    template <bool keep>
    bool advance(Table& table, const std::vector<std::int32_t>& words, int h, double enough);
    void trace(const std::vector<std::int32_t>& words);
    void gather();
    void grow(int h0, int r0, int h, int r);
    void push(int h0, int r0, int h, int r);
    bool best_shift();
    bool pays(const TerpShift& shift, double total) const;

    double* cell(Table& table, int h) const {
        return table.cells.data() + (static_cast<std::size_t>(h) % table.ring) * rows_;
    }
    const TerpPhrase* next_phrase(const std::vector<std::int32_t>& words, int h, int r,
                                  std::size_t& at) const;

    TerpCosts costs_;
    TerpLimits limits_;
    const TerpPair* pair_ = nullptr;
    bool phrases_ = false;
    std::size_t rows_ = 0;  // of a column
    std::vector<double> prices_;
    std::vector<std::int32_t> now_, tried_;
    std::vector<int> order_;
    double edits_ = 0;
    Table table_, trial_;
    std::vector<double> rest_;  // what the words from each pair of places on cost at least
    std::vector<TerpEdit> moves_;
    std::vector<const TerpPhrase*> used_;
    std::vector<TerpStep> path_;
    std::vector<TerpShift> shifts_;
    std::vector<int> beside_h_, beside_r_;                        // the word beside each, or before the gap
    std::vector<int> wrong_h_, wrong_r_, content_h_, content_r_;  // sums up to each word
    std::vector<std::vector<TerpShift>> candidates_;              // by length
    std::vector<std::pair<int, int>> visited_;
};

}  // namespace adjudge
