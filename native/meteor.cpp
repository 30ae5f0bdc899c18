#include "meteor.hpp"

#include <algorithm>
#include <memory>

#include "parallel.hpp"

namespace adjudge {
namespace {

namespace column = meteor_column;

class MeteorWorker {
  public:
    MeteorWorker(const MeteorTask& task, const MeteorKnowledge& known) : task_(task), aligner_(known) {}

    // The row with the best reference; of equal ones the first.
    MeteorRow operator()(std::size_t segment, MeteorAlignment* alignment) {
        const std::span<const std::int32_t> hypothesis = task_.hypotheses[segment];
        MeteorRow best{};
        double score = -1;
        for (std::size_t set = 0; set < task_.references.size(); ++set) {
            if (task_.references[set]->is_missing(segment)) continue;
            const std::span<const std::int32_t> reference = (*task_.references[set])[segment];
            const std::span<const MeteorMatch> matches = aligner_.align(hypothesis, reference);
            const MeteorRow row = count(hypothesis, reference, matches);
            if (task_.references.size() > 1) {
                const double ours = meteor_score(row, task_.parameters);
                if (ours <= score) continue;
                score = ours;
            }
            best = row;
            if (alignment) *alignment = {set, {matches.begin(), matches.end()}};
        }
        return best;
    }

  private:
    using Counts = std::array<std::int64_t, meteor_columns>;

    MeteorRow count(std::span<const std::int32_t> hypothesis, std::span<const std::int32_t> reference,
                    std::span<const MeteorMatch> matches) const {
        Counts row{};
        for (const std::int32_t word : hypothesis)
            add(word, row[column::hypothesis_words], row[column::hypothesis_function_words]);
        for (const std::int32_t word : reference)
            add(word, row[column::reference_words], row[column::reference_function_words]);
        std::int32_t reference_end = -1, hypothesis_end = -1;
        for (const MeteorMatch& match : matches) {
            row[column::hypothesis_matched] += match.hypothesis_length;
            row[column::reference_matched] += match.reference_length;
            row[column::chunks] += (match.reference != reference_end) | (match.hypothesis != hypothesis_end);
            reference_end = match.reference + match.reference_length;
            hypothesis_end = match.hypothesis + match.hypothesis_length;
            std::int64_t* counts = row.data() + column::matched(match.matcher, 0);
            for (std::int32_t i = 0; i < match.hypothesis_length; ++i)
                part(hypothesis[static_cast<std::size_t>(match.hypothesis + i)],
                     counts + column::hypothesis_content);
            for (std::int32_t i = 0; i < match.reference_length; ++i)
                part(reference[static_cast<std::size_t>(match.reference + i)],
                     counts + column::reference_content);
        }
        if (!task_.parameters.form_2005 && row[column::chunks] == 1 && all_matched(row))
            row[column::chunks] = 0;
        MeteorRow result;
        std::copy(row.begin(), row.end(), result.begin());
        return result;
    }

    static bool all_matched(const Counts& row) {
        std::int64_t hypothesis = 0, reference = 0;
        for (std::size_t m = 0; m < meteor_matchers; ++m) {
            hypothesis += row[column::matched(m, column::hypothesis_content)] +
                          row[column::matched(m, column::hypothesis_function)];
            reference += row[column::matched(m, column::reference_content)] +
                         row[column::matched(m, column::reference_function)];
        }
        return hypothesis == row[column::hypothesis_words] && reference == row[column::reference_words];
    }

    void add(std::int32_t word, std::int64_t& all, std::int64_t& function) const {
        const MeteorWords::Word& known = task_.words[word];
        all += known.length;
        function += known.length * known.function;
    }

    void part(std::int32_t word, std::int64_t* content_and_function) const {
        const MeteorWords::Word& known = task_.words[word];
        content_and_function[known.function] += known.length;
    }

    const MeteorTask& task_;
    MeteorAligner aligner_;
};

}  // namespace

void meteor_rows(const MeteorTask& task, unsigned threads, double* rows) {
    const MeteorKnowledge known(task.words, task.matchers, task.paraphrases);
    for_each_block<16>(task.hypotheses.size(), threads, [&] {
        return [worker = std::make_unique<MeteorWorker>(task, known), rows](std::size_t segment) {
            const MeteorRow row = (*worker)(segment, nullptr);
            std::copy(row.begin(), row.end(), rows + segment * meteor_columns);
        };
    });
}

std::vector<MeteorAlignment> meteor_alignments(const MeteorTask& task, unsigned threads) {
    std::vector<MeteorAlignment> alignments(task.hypotheses.size());
    const MeteorKnowledge known(task.words, task.matchers, task.paraphrases);
    for_each_block<16>(task.hypotheses.size(), threads, [&] {
        return [worker = std::make_unique<MeteorWorker>(task, known), &alignments](std::size_t segment) {
            (*worker)(segment, &alignments[segment]);
        };
    });
    return alignments;
}

}  // namespace adjudge
